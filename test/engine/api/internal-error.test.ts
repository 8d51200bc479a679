import { describe, expect, test } from 'vitest';
import type { JournalEntry, SandboxOptions } from '../../../src/engine/library.js';
import { exchangeLog } from '../../../src/cli/log.js';
import { open } from '../../support/client.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

/** A sandbox whose host throws at every change, once `broken` says so. */
async function failing(options: SandboxOptions = {}) {
  const host = { broken: false };
  const entries: JournalEntry[] = [];
  const opened = await open({
    ...options,
    onExchange: (entry) => void entries.push(entry),
    onChange() {
      if (host.broken) throw new Error('no space left on the disk');
    },
  });
  return { ...opened, entries, host };
}

/** A plan counts the requests that it matches, and to count one is a change. */
async function getCountries(options: SandboxOptions = {}) {
  const { sandbox, fairway, entries, host } = await failing({ ...options, scenarios: ['maintenance'] });
  host.broken = true;
  return { sandbox, entries, reply: await fairway.get('/api/v3/countries') };
}

async function postBooking() {
  const { fairway, entries, host } = await failing();
  const body = bookingFor(await findTeeTime(fairway));
  host.broken = true;
  return { entries, reply: await fairway.post('/api/v5/bookings', body) };
}

describe('a defect of the sandbox', () => {
  test.each([
    ['GET countries', getCountries],
    ['POST bookings', postBooking],
  ])('answers %s with 500, the error body and no rule of the API specification', async (_, request) => {
    const { reply, entries } = await request();
    expect(reply.status).toBe(500);
    expect(reply.body).toMatchObject({ success: false, data: null });
    expect(JSON.stringify(reply.body)).not.toContain('disk');
    expect(reply.headers.get('teebox-request-id')).toMatch(/^req-\d+$/);
    expect(reply.headers.has('teebox-rule')).toBe(false);
    expect(entries.at(-1)).toMatchObject({ status: 500, rule: 'internal-error' });
  });

  test('has the error body of the dialect in force', async () => {
    const { reply } = await getCountries({ dialect: { answers: { 'error.body': 'errors', 'error.code': 'code' } } });
    expect(reply.body).toMatchObject({ success: false, errors: [{}], code: 'internal' });
  });

  test('is an internal error in the journal, its filter, its explanation and the log', async () => {
    const { sandbox, entries } = await getCountries();
    const [entry] = entries;
    expect(entry).toMatchObject({ rule: 'internal-error', operation: 'v3.listCountries' });
    expect(entry!.detail).toContain('no space left on the disk');
    await sandbox.journal.verify({ rule: 'internal-error', atLeast: 1, atMost: 1 });
    const { rules } = await sandbox.journal.explain(entry!.requestId);
    const failed = rules.find(({ rule }) => rule === 'internal-error');
    expect(failed).toMatchObject({ outcome: 'failed' });
    expect(failed!.words).toContain('defect');
    expect(failed).not.toHaveProperty('basis');
    const lines: string[] = [];
    exchangeLog({ level: 'error', format: 'pretty', colour: false, write: (line) => void lines.push(line) })!(entry!);
    expect(lines.join()).toContain('no space left on the disk');
  });
});
