import * as bodies from '../../../contract/generated/built/request-validators.js';
import type { Validator } from '../../../contract/generated/built/request-validators.js';

/** The validators of request bodies by the name of their schema. */
export const validators: Readonly<Record<string, Validator>> = bodies;
