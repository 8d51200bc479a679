import { expect, test } from 'vitest';
import { deploy, idsWith, type Layer } from '../../deployment.js';
import { complaintsOf, everything } from '../../full-run.js';
import { grown } from './hostile-server.js';

const answering =
  (make: () => Response): Layer =>
  async () =>
    make();

/** Every number of an answer in quotes. */
const inQuotes: Layer = async (request, through) => {
  const response = await through(request);
  const text = await response.text();
  const quoted = (_: string, value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
  return new Response(text === '' ? null : JSON.stringify(JSON.parse(text, quoted)), { status: response.status });
};

/** Tee times end in letters once most rules have been judged. */
const lateLetters = (): Layer => {
  const longer = grown(1000, { texts: 2, by: 2 });
  let turn = 0;
  return async (request, through) => {
    const response = await through(request);
    const text = await response.text();
    return new Response(text === '' ? null : longer(text, (turn += 1)), { status: response.status });
  };
};

test.each<[what: string, layer: Layer]>([
  ['with letters after its tee times from the 1,000th request on', lateLetters()],
  ['nothing but {}', answering(() => Response.json({}))],
  ['data that is always null', answering(() => Response.json({ success: true, data: null }))],
  ['empty lists everywhere', answering(() => Response.json({ success: true, data: [] }))],
  ['lists of numbers everywhere', answering(() => Response.json({ success: true, data: [1, 2, 3] }))],
  ['lists of lists', answering(() => Response.json({ success: true, data: [[], [[]]] }))],
  ['a list of null', answering(() => Response.json({ success: true, data: [null] }))],
  ['numbers in quotes', inQuotes],
])('a deployment that answers %s is broken, and the suite is not', async (_, layer) => {
  const { sandbox, check } = await deploy({}, layer);
  const report = await check(everything(sandbox));
  const errors = report.rules.filter(({ verdict }) => verdict === 'error').map(({ id, message }) => [id, message]);
  expect(errors).toEqual([]);
  expect(idsWith(report, 'fail').length).toBeGreaterThan(0);
});

test('a deployment that answers a page for people is not the service', async () => {
  const page = () => new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } });
  const { sandbox, check } = await deploy({}, answering(page));
  expect(await check(everything(sandbox))).toMatchObject({ exitCode: 3, verdict: 'unreachable', rules: [] });
});

test.each<[what: string, layer: Layer, says: RegExp]>([
  [
    'JSON that ends in its middle',
    answering(() => new Response('{"success":true,"data":["Austria"')),
    /^Nothing at this base URL .* returns 200 with JSON that is not well-formed and says/,
  ],
  [
    'an error of its own',
    answering(() => Response.json({ success: false, data: null, message: 'Broken.' }, { status: 500 })),
    /^The deployment fails: GET .* returns 500 and says .*"Broken\."/,
  ],
])('a deployment that answers every request with %s is said to do so', async (_, layer, says) => {
  const { check } = await deploy({}, layer);
  const { exitCode, message } = await check();
  expect([exitCode, message]).toEqual([3, expect.stringMatching(says)]);
});

/** Answers every so many reads otherwise. */
function nowAndThen(every: number, make: () => Response): Layer {
  let count = 0;
  return async (request, through) => {
    if (request.method !== 'GET' || /payment|callbackUrl/.test(request.url)) return through(request);
    return (count += 1) % every === 0 ? make() : through(request);
  };
}

test.each<[what: string, layer: Layer]>([
  ['is asked too often', nowAndThen(40, () => new Response('', { status: 429, headers: { 'retry-after': '1' } }))],
  ['is behind a gateway that stumbles', nowAndThen(20, () => new Response('<h1>Bad gateway</h1>', { status: 502 }))],
  ['is restarted', nowAndThen(60, () => new Response(null, { status: 503 }))],
])('a deployment that now and then %s is no reason to complain', async (_, layer) => {
  const { check } = await deploy({}, layer);
  // One read in twenty fails, which is more than a healthy deployment may.
  expect(complaintsOf(await check({ allow: ['bookings', 'callbacks'], maxErrors: 10 }))).toEqual([]);
});

/** Answers lists of the facilities of countries that match with JSON that ends in its middle. */
const cutting =
  (country: RegExp): Layer =>
  async (request, through) => {
    const response = await through(request);
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.endsWith('/facilities') || !country.test(searchParams.get('country') ?? '')) return response;
    const text = await response.text();
    return new Response(text.slice(0, text.length / 2), { status: 200, headers: response.headers });
  };

test('a list that cannot be read is not taken for one without facilities', async () => {
  const { check } = await deploy({}, cutting(/^(Denmark|France|Türkiye|the Netherlands|United Kingdom)$/));
  const report = await check();
  const ids = ['countries.connected-only', 'countries.match-facilities'];
  expect(report.rules.filter(({ id }) => ids.includes(id)).map(({ id, verdict }) => [id, verdict])).toEqual(
    ids.map((id) => [id, 'inconclusive']),
  );
  expect(idsWith(report, 'fail')).toContain('envelope.json');
});
