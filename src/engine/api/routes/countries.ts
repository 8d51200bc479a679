import { type Answer, type Call, encodeSuccess } from './call.js';

/** The countries of all facilities, or of those connected to the channel (section "Countries"). */
export function listCountries({
  engine,
  channel,
  params,
}: Call<{ readonly connected: boolean | undefined }>): Answer<string[]> {
  const { caches, world } = engine.store;
  const connectedTo = params.connected ? channel.name : undefined;
  const key = `countries ${connectedTo ?? '*'}`;
  const body =
    caches.kept.get(key) ?? caches.kept.set(key, encodeSuccess(JSON.stringify(world.countries(connectedTo))));
  return { body };
}
