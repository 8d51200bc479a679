import type { ObligationSpec } from './obligation.js';
import { requestObligations } from './requests.js';
import { tokenObligations } from './tokens.js';

/** How each obligation of the catalogue is seen; the files of spec/obligations have the words. */
export const obligationSpecs: readonly ObligationSpec[] = [...tokenObligations, ...requestObligations];
