import { expect, test } from 'vitest';
import { createSandbox } from '../../src/engine/library.js';
import { answerFaults, operationNamed } from '../support/contract/admin-document.js';
import { readReply } from '../support/client.js';

test.each([
  ['getCertification', 'certification'],
  ['followCertification', 'certification/events'],
])('%s of a server that certifies nobody says how to start one', async (id, path) => {
  const sandbox = await createSandbox();
  const reply = await readReply(await sandbox.fetch(`http://sandbox.test/__admin/${path}`));
  expect(reply.status).toBe(404);
  expect(reply.body.detail).toContain('`npx --no-install teebox certify --serve`');
  expect(answerFaults(operationNamed(id), reply)).toEqual([]);
});
