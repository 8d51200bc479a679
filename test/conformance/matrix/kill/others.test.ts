import { killMatrix } from './kill-matrix.js';

killMatrix('others');
