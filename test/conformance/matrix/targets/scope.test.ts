import { expect, test } from 'vitest';
import type { CheckOptions } from '../../../../src/conformance/run/check-options.js';
import { permissions } from '../../../../src/conformance/client/types.js';
import { operations } from '../../../../src/contract/generated/operations.js';
import { deploy, loudIn } from '../../deployment.js';
import { complaintsOf, everything } from '../../full-run.js';

const versionIn = (path: string): string => /\/api\/(v[1-5])\//.exec(path)?.[1] ?? '';

/** A run against a deployment that has only some paths, and what it was sent. */
async function runOn(isServed: (method: string, path: string) => boolean, changes: Partial<CheckOptions>) {
  const { sandbox, sent, check } = await deploy({}, async (request, through) => {
    const { pathname } = new URL(request.url);
    return isServed(request.method, pathname) ? through(request) : new Response('no such route', { status: 404 });
  });
  const report = await check({ ...everything(sandbox), allow: [], ...changes });
  return { report, sent, facility: sandbox };
}

const FACILITY = 1001;
const scopes: readonly (readonly [versions: readonly string[], facilities: readonly number[], judged: number])[] = [
  [['v5'], [FACILITY], 40],
  [['v4', 'v5'], [FACILITY], 60],
  [['v3', 'v4', 'v5'], [], 150],
  [['v1', 'v2'], [], 60],
];
const grants = [[], permissions] as const;

test.each(
  scopes.flatMap(([versions, facilities, judged]) => grants.map((allow) => ({ versions, facilities, judged, allow }))),
)('a deployment with $versions alone is judged: $allow', async ({ versions, facilities, judged, allow }) => {
  const served = (_: string, path: string): boolean => versionIn(path) === '' || versions.includes(versionIn(path));
  const { report, sent } = await runOn(served, { versions, facilities, allow });
  expect(complaintsOf(report)).toEqual([]);
  expect(report.exitCode).toBe(0);
  expect(sent.filter((one) => !['', ...versions].includes(versionIn(one)))).toEqual([]);
  expect(report.coverage.judged).toBeGreaterThan(judged);
  const outside = report.rules.filter(({ reason }) => reason === 'out-of-scope');
  expect(outside.length).toBeGreaterThan(10);
  expect(new Set(outside.map(({ verdict }) => verdict))).toEqual(new Set(['not-run']));
});

/** What a deployment without facilities, countries and bulk bookings cannot show. */
const beyond =
  /^(facilities|versions|tokens|errors\.(body|code|auth-status)|limits\.rate|payments\.(confirm-bulk|path\.bulk|sample-path)|prices\.agrees-facility|bookings\.(time-borders|list\.same))/;

test('a rule is judged by the versions that the deployment has', async () => {
  const versions = ['v4', 'v5'];
  const served = (_: string, path: string): boolean => versionIn(path) === '' || versions.includes(versionIn(path));
  const { report } = await runOn(served, { versions, facilities: [FACILITY], allow: permissions });
  const lost = report.rules.filter(({ missing }) => /, which is outside /.test(missing ?? '')).map(({ id }) => id);
  expect(lost.filter((id) => !beyond.test(id))).toEqual([]);
});

test('operations that are left out are not sent, by any method', async () => {
  const named = ['listCountries', 'listFacilities', 'listTeeTimes', 'v5.*'];
  const left = operations.filter(
    ({ id, name }) => !named.includes(name) && !id.startsWith('v5.') && id !== 'refreshToken',
  );
  const shapes = left.map(({ path }) => new RegExp(`^\\S+ ${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`));
  const taken = (method: string, path: string): boolean => !shapes.some((shape) => shape.test(`${method} ${path}`));
  const { report, sent } = await runOn(taken, { operations: named, allow: permissions });
  expect(loudIn(report)).toEqual([]);
  expect(sent.filter((one) => shapes.some((shape) => shape.test(one)))).toEqual([]);
  expect(report.coverage.judged).toBeGreaterThan(100);
});

test('a scope without an operation to begin with asks for a facility', async () => {
  const { report } = await runOn(() => true, { versions: ['v5'] });
  expect(report).toMatchObject({ exitCode: 3, message: expect.stringContaining('Name one with --facility') });
});
