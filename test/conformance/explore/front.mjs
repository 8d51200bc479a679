// Processes that share a port and forward to one service: node front.mjs URL_OF_THE_SERVICE PROCESSES [WHAT_EACH_CACHES]
import cluster from 'node:cluster';
import { createServer, request } from 'node:http';

const [, , service, processes, cached] = process.argv;
const keeps = cached === undefined ? undefined : new RegExp(cached);
const kept = new Map();
let writes = 0;

/** A process knows of its own writes alone. */
function forget() {
  writes += 1;
  kept.clear();
}

function forward(incoming, outgoing) {
  const { method, url, headers } = incoming;
  const key = `${method} ${url}`;
  const answer = ({ status, type, body }) => {
    // The next request goes to the next process.
    outgoing.writeHead(status, { 'content-type': type, connection: 'close' }).end(body);
  };
  const known = kept.get(`${headers.authorization} ${key}`);
  if (known) return answer(known);
  if (method !== 'GET') forget();
  const before = writes;
  const onward = request(new URL(url, service), { method, headers }, async (response) => {
    const parts = [];
    for await (const part of response) parts.push(part);
    const whole = {
      status: response.statusCode,
      type: response.headers['content-type'] ?? 'application/json',
      body: Buffer.concat(parts),
    };
    if (method !== 'GET') forget();
    else if (keeps?.test(key) && writes === before) kept.set(`${headers.authorization} ${key}`, whole);
    answer(whole);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}

if (cluster.isPrimary) {
  let listening = 0;
  cluster.on('listening', (_, { port }) => {
    listening += 1;
    if (listening === Number(processes)) console.log(`http://127.0.0.1:${port}`);
  });
  for (let count = 0; count < Number(processes); count += 1) cluster.fork();
  process.on('disconnect', () => process.exit());
} else createServer(forward).listen(0, '127.0.0.1');
