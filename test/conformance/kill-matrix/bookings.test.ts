import { killMatrix } from './matrix.js';

killMatrix('bookings');
