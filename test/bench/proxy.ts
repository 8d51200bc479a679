import { Agent, request } from 'node:http';
import { ask, authorization, sheetPath } from './requests.js';
import { type Server, startBare, startNode, startTeebox } from './children.js';
import { median, type Row, type Section } from './report.js';
import { CLI } from '../support/network/process.js';

/** Requests of one contender in a round, one after the other. */
const REQUESTS = 400;
const WARM_UP = 600;

const cases = [
  { name: 'countries', path: '/api/v3/countries' },
  { name: 'sheet of 50 kB', path: sheetPath(1001, 20) },
];

async function startProxy(target: string, flags: readonly string[]): Promise<Server> {
  const { child, line } = await startNode([CLI, 'proxy', target, '--port', '0', '--json', ...flags]);
  // Nobody reads the events: the pipe must not fill up.
  child.stdout!.resume();
  const stop = async (): Promise<void> => void child.kill('SIGKILL');
  return { url: JSON.parse(line).baseUrl, pid: child.pid!, stop };
}

/** One keep-alive connection, on which each request waits for the answer before it. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, noDelay: true });

  constructor(
    readonly url: string,
    readonly path: string,
  ) {}

  /** Milliseconds until the last byte of the answer. */
  time(): Promise<number> {
    return new Promise((resolve, reject) => {
      const start = performance.now();
      const sent = request(this.url + this.path, { agent: this.#agent, headers: { authorization } }, (answer) => {
        answer.on('data', () => {});
        answer.on('end', () => resolve(performance.now() - start));
      });
      sent.on('error', reject).end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

const contenders = ['direct', 'proxy', 'proxy, not judging'] as const;

/** What a proxy adds to the time of a request: beside the same request to the same bare server, in turns. */
export async function measureProxy(rounds: number): Promise<Section> {
  const teebox = await startTeebox();
  const rows: Row[] = [];
  try {
    for (const { name, path } of cases) {
      const { body, contentType } = await ask(teebox, path);
      rows.push(
        ...(await measureCase(`${name} (${Math.round(body.length / 1000)} kB)`, path, { body, contentType }, rounds)),
      );
    }
  } finally {
    await teebox.stop();
  }
  const note = 'milliseconds; one client, one request at a time; `added` is the difference of the medians of one run.';
  return { title: 'Proxy: beside the same request without it', rows, note };
}

async function measureCase(
  name: string,
  path: string,
  { body, contentType }: { readonly body: string; readonly contentType: string },
  rounds: number,
): Promise<Row[]> {
  const bare = await startBare([{ method: 'GET', path: path.split('?')[0]!, contentType, body }]);
  const proxies = [await startProxy(bare.url, []), await startProxy(bare.url, ['--no-judge'])];
  const clients = [bare, ...proxies].map(({ url }) => new Client(url, path));
  try {
    const times = await timesOf(clients, rounds);
    const direct = median(times[0]!);
    return contenders.map((contender, index) => {
      const own = times[index]!.toSorted((a, b) => a - b);
      const middle = median(own);
      return {
        case: `${name}, ${contender}`,
        median: middle.toFixed(3),
        p95: own[Math.floor(own.length * 0.95)]!.toFixed(3),
        added: index === 0 ? '' : (middle - direct).toFixed(3),
        ratio: index === 0 ? '' : (middle / direct).toFixed(2),
      };
    });
  } finally {
    for (const client of clients) client.close();
    for (const server of [bare, ...proxies]) await server.stop();
  }
}

/** Times of each client, in turns, so that what disturbs the machine disturbs every one. */
async function timesOf(clients: readonly Client[], rounds: number): Promise<number[][]> {
  for (const client of clients) for (let turn = 0; turn < WARM_UP; turn += 1) await client.time();
  const times: number[][] = clients.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, client] of clients.entries()) {
      for (let turn = 0; turn < REQUESTS; turn += 1) times[index]!.push(await client.time());
    }
  }
  return times;
}
