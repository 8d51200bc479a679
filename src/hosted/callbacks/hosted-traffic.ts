import { CallbackTraffic, type TrafficLimits } from '../../engine/index.js';

const MILLION = 1_000_000;

/** A world has 128 MB in its object, and the platform sends six requests of an object at a time. */
const ofHostedWorld: TrafficLimits = {
  waiting: 500,
  waitingSize: 500 * MILLION,
  posts: 4,
  postedSize: 16 * MILLION,
  keptSize: 4 * MILLION,
};

/** The callbacks of a world that is alone in its object. */
export function hostedTraffic(): CallbackTraffic {
  return new CallbackTraffic(ofHostedWorld, ofHostedWorld);
}
