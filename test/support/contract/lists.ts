import type { Client } from '../client.js';
import { type Json, queryText } from '../scenes.js';

/** The names of countries; `connected` is left out of the query unless given. */
export async function countriesOf(client: Client, version: string, connected?: boolean): Promise<string[]> {
  return (await client.get(`/api/${version}/countries${connected === undefined ? '' : `?connected=${connected}`}`)).body
    .data;
}

/** The facilities of a country; `connected` is left out of the query unless given. */
export async function facilitiesOf(
  client: Client,
  version: string,
  country: string,
  connected?: boolean,
): Promise<Json[]> {
  const query = queryText({ country, ...(connected === undefined ? {} : { connected: String(connected) }) });
  return (await client.get(`/api/${version}/facilities?${query}`)).body.data;
}
