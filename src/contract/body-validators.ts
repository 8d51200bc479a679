import * as requestValidators from './generated/built/request-validators.js';
import type { Validator } from './generated/built/request-validators.js';

/** The validators of request bodies by the name of their schema. */
export const bodyValidators: Readonly<Record<string, Validator>> = requestValidators;
