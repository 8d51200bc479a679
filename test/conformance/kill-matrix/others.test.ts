import { killMatrix } from './matrix.js';

killMatrix('others');
