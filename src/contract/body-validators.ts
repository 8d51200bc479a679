import * as requestValidators from './generated/built/request-validators.js';
import type { Validator } from './generated/built/request-validators.js';

/**
 * The validators of request bodies by the name of their schema. They are apart from `operations.ts`, whose types are public:
 * the declarations of the package cannot contain the generated validators.
 */
export const bodyValidators: Readonly<Record<string, Validator>> = requestValidators;
