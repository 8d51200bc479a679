/** The words of all rules and questions, in a file of their own: only the palette reads them whole. */
export { questions, rules } from '../../../contract/index.js';
