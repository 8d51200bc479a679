import { killMatrix } from './kill-matrix.js';

killMatrix('teetimes');
