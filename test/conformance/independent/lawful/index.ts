import type { Variation } from '../vary.js';
import { access } from './access.js';
import { answers } from './answers.js';
import { fields } from './fields.js';
import { habits } from './habits.js';
import { requests } from './requests.js';

/** What the API specification permits, each on its own. */
export const lawful: readonly Variation[] = [...fields, ...requests, ...answers, ...habits, ...access];
