import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the young generation from which it is kept as large as it is, and bytes of all objects from which it is not. */
const LARGE_ENOUGH = 16_000_000;
const MANY_OBJECTS = 100_000_000;

/** By how much it grows at a time: not at all, or as V8 does by itself. */
type Growth = 1 | 2;

/**
 * Keeps the young generation of the process at 16 MB. Under load, it would grow to 32 MB in Node 20, and to more in later ones,
 * since the entries of the journal survive some collections. That saves nothing that can be measured until there are many
 * objects: then each collection goes over all their pages, and fewer of them are better.
 */
export function boundYoungGeneration(): void {
  let growth: Growth = 2;
  new PerformanceObserver(() => {
    const wanted = isLargeEnough() ? 1 : 2;
    if (wanted !== growth) setFlagsFromString(`--semi-space-growth-factor=${(growth = wanted)}`);
  }).observe({ entryTypes: ['gc'] });
}

/** Asked each time: an idle process gives back most of it, and has to get it again. */
function isLargeEnough(): boolean {
  if (getHeapStatistics().used_heap_size > MANY_OBJECTS) return false;
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return young !== undefined && young.space_size >= LARGE_ENOUGH;
}
