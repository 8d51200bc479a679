import type { Exam } from '../exam.js';

/** The first exam: what the client does when nothing goes wrong. */
export const happyDay: Exam = {
  id: 'happy-day',
  title: 'Happy path',
  does: 'Nothing goes wrong: each answer is complete, prompt and in the default form.',
  shows: [],
};
