import type { ObligationSpec } from '../obligation.js';
import { documentedBody } from './bodies.js';
import { dates } from './dates.js';
import { documentedPaths, facilityIdsAtMostFive } from './paths.js';
import { contentType, noSecretInUrl } from './headers.js';
import { documentedParameters } from './parameters.js';

export const requestObligations: readonly ObligationSpec[] = [
  documentedPaths,
  documentedParameters,
  documentedBody,
  dates,
  facilityIdsAtMostFive,
  contentType,
  noSecretInUrl,
];
