import { roundTrips } from './round-trip.js';

roundTrips(1, 2);
