import { requestValidators, type Validator } from '../../../contract/index.js';

/** The validators of request bodies by the name of their schema. */
export const validators: Readonly<Record<string, Validator>> = requestValidators;
