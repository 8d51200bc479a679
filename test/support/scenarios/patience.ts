import { type Client, ORIGIN, readReply, type Reply } from '../client.js';
import { basic } from '../credentials.js';

/** Turns of 10 ms. They are counted, as a busy machine may let this process wait for longer than any caller would. */
const PATIENCE = 30;

/** Posts as a caller does who waits so long and no longer: the answer, or how there was none. */
export async function postPatiently(
  { sandbox, channel }: Client,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply | 'cut' | 'broken'> {
  const patience = new AbortController();
  let turns = 0;
  const timer = setInterval(() => (turns += 1) === PATIENCE && patience.abort(), 10);
  const credentials = basic(channel, `not-a-secret-${channel}`);
  const request = new Request(ORIGIN + path, {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: patience.signal,
  });
  try {
    const response = await sandbox.fetch(request).catch(() => undefined);
    return response ? await readReply(response) : 'cut';
  } catch (error) {
    return (error as Error).name === 'AbortError' ? 'cut' : 'broken';
  } finally {
    clearInterval(timer);
  }
}
