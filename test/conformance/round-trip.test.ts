import { roundTrips } from './round-trip.js';

roundTrips(0, 2);
