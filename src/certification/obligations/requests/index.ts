import type { ObligationSpec } from '../obligation.js';
import { documentedBody } from './bodies.js';
import { dates } from './dates.js';
import { facilityIdsAtMostFive } from './facility-ids.js';
import { contentType, noSecretInUrl } from './headers.js';
import { documentedParameters } from './parameters.js';
import { documentedPaths } from './paths.js';

export const requestObligations: readonly ObligationSpec[] = [
  documentedPaths,
  documentedParameters,
  documentedBody,
  dates,
  facilityIdsAtMostFive,
  contentType,
  noSecretInUrl,
];
