import { expect, test } from 'vitest';
import { Inconclusive, SuiteError } from '../../../src/conformance/client/outcome.js';
import { resource, resourceOf } from '../../../src/conformance/client/resource.js';
import { Session } from '../../../src/conformance/client/session.js';
import { prepareRun } from '../../../src/conformance/run/check.js';
import { deploy } from '../deployment.js';

async function sessions(): Promise<readonly [Session, Session]> {
  const { options } = await deploy();
  const { run } = prepareRun(options, () => {});
  return [new Session(run), new Session(run)];
}

test('a resource is made once in a run and brings its exchanges to each session that uses it', async () => {
  const [one, other] = await sessions();
  const countries = resource(
    'countries',
    async (session) => (await session.send({ operation: 'v3.listCountries' })).id,
  );
  const id = await countries(one);
  expect(await countries(other)).toBe(id);
  expect([[...one.exchanges], [...other.exchanges]]).toEqual([[id], [id]]);
  const [anew] = await sessions();
  expect(await countries(anew)).toBe(id);
  expect(anew.run.transport.replies).toHaveLength(1);
});

test('a failure is kept too, with its exchanges', async () => {
  const [one, other] = await sessions();
  const failing = resource('failing', async (session) => {
    await session.send({ operation: 'v3.listCountries' });
    throw new Inconclusive('no-data', 'a country');
  });
  for (const session of [one, other]) {
    await expect(failing(session)).rejects.toThrow('a country');
    expect(session.exchanges).toHaveLength(1);
  }
  expect(one.run.transport.replies).toHaveLength(1);
});

test('resources of one name are apart, and so are the values of a parameter', async () => {
  const [session] = await sessions();
  const [text, number] = [resource('one name', async () => 'a'), resource('one name', async () => 1)];
  expect([await text(session), await number(session)]).toEqual(['a', 1]);
  let made = 0;
  const numbered = resourceOf('numbered', async (_, name: string) => `${name}${(made += 1)}`);
  expect([await numbered(session, 'a'), await numbered(session, 'b'), await numbered(session, 'a')]).toEqual([
    'a1',
    'b2',
    'a1',
  ]);
  const byLength = resourceOf(
    'by length',
    async (_, name: string) => name,
    ({ length }) => length,
  );
  expect([await byLength(session, 'ab'), await byLength(session, 'cd')]).toEqual(['ab', 'ab']);
});

test('a resource that is made from itself is an error of the suite and does not hang', async () => {
  const [session] = await sessions();
  const one = resource('first half', async (inner): Promise<number> => other(inner));
  const other = resource('second half', async (inner): Promise<number> => one(inner));
  await expect(one(session)).rejects.toThrow(new SuiteError('The first half is made from itself.'));
});
