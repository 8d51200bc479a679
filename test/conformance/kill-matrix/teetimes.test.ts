import { killMatrix } from './matrix.js';

killMatrix('teetimes');
