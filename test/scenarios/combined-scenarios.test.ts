import { expect, test } from 'vitest';
import { open } from '../support/client.js';
import { bookingFor, findTeeTime } from '../support/scenes.js';

test.each<[network: string, status: number, header: string, also: readonly string[]]>([
  ['slow', 400, 'payment-pi-failed; source=plan, slow; source=plan', ['slow']],
  ['slow; phase=before-commit', 400, 'slow; source=plan, payment-pi-failed; source=plan', ['slow']],
])('what is refused by one scenario and met by %s is told of both', async (network, status, header, also) => {
  const { sandbox, fairway } = await open();
  const teeTime = await findTeeTime(fairway);
  const [id, phase] = network.split('; phase=');
  sandbox.scenarios.arm(id!, { delay: 1, ...(phase ? { phase: phase as 'before-commit' } : {}) });
  sandbox.scenarios.arm('payment-pi-failed');
  const answer = await fairway.post('/api/v5/bookings', bookingFor(teeTime));
  expect(answer.status).toBe(status);
  expect(answer.headers.get('teebox-scenario')).toBe(header);
  expect(sandbox.journal.entries.at(-1)!.scenario).toMatchObject({ id: 'payment-pi-failed', struck: true, also });
  for (const scenario of ['slow', 'payment-pi-failed']) {
    await expect(sandbox.journal.verify({ scenario, atMost: 1 }), scenario).resolves.toMatchObject({ count: 1 });
  }
});
