import type { Exam } from '../exam.js';
import { callbackExams } from './callbacks.js';
import { failureExams } from './failures.js';
import { happyDay } from './happy-day.js';
import { limitExams } from './limits.js';
import { networkExams } from './network.js';
import { tokenExams } from './tokens.js';
import { variationExams } from './variations.js';

/** All exams, in the order in which they are taken. */
export const exams: readonly Exam[] = [
  happyDay,
  ...tokenExams,
  ...failureExams,
  ...networkExams,
  ...limitExams,
  ...callbackExams,
  ...variationExams,
];
