import { bodyBudget, type WorldSandbox } from '../engine/index.js';

const MIB = 1_048_576;
/** Bytes of what all worlds of an isolate keep of their requests. An isolate has 128 MB, with bookings and code. */
const KEPT = 32 * MIB;
/** A little more than is due is dropped, so that not every request has to. */
const ENOUGH = KEPT * (7 / 8);

/** Bytes of a message to an inbox, and of all bodies that are being read. */
export const LARGEST_MESSAGE = 12 * MIB;
bodyBudget.most = 16 * MIB;

/** The worlds of the isolate. The platform drops objects without a word, so nothing here may keep them. */
const worlds = new Map<WeakRef<WorldSandbox>, number>();

/** Counts what a world keeps from now on; the returned function counts it again, and drops the largest of all. */
export function countIn(sandbox: WorldSandbox): () => void {
  const own = new WeakRef(sandbox);
  return () => {
    worlds.set(own, sandbox.keptBytes);
    if (total() > KEPT) relieve();
  };
}

function total(): number {
  let sum = 0;
  for (const bytes of worlds.values()) sum += bytes;
  return sum;
}

/** Drops caches, bodies of journals and messages, of the world that keeps most first. */
function relieve(): void {
  for (const [world] of [...worlds].sort(([, one], [, other]) => other - one)) {
    const sandbox = world.deref();
    sandbox?.dropCaches();
    sandbox?.dropBodies();
    if (total() - (worlds.get(world)! - (sandbox?.keptBytes ?? 0)) > ENOUGH) sandbox?.dropMessages();
    if (sandbox) worlds.set(world, sandbox.keptBytes);
    else worlds.delete(world);
    if (total() <= ENOUGH) return;
  }
}
