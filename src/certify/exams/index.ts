import type { Exam } from '../exam.js';
import { happyDay } from './happy-day.js';

/** All exams, in the order in which they are taken. */
export const exams: readonly Exam[] = [happyDay];
