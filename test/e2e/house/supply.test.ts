import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rootFolder } from '../../../spec/generate/folders.js';

test('the image is made from a base that is named by its digest', () => {
  const dockerfile = readFileSync(join(rootFolder, 'Dockerfile'), 'utf8');
  expect(/^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile)?.[1]).toMatch(/@sha256:[0-9a-f]{64}$/);
  expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}']);
});

test('each package that Teebox is built from has a licence that was looked at', { tags: ['slow'] }, () => {
  const own = mkdtempSync(join(tmpdir(), 'teebox-licences-'));
  onTestFinished(() => rmSync(own, { recursive: true }));
  const list = join(own, 'list.json');
  const licences = () =>
    spawnSync(process.execPath, ['.github/licences.mjs', list], { cwd: rootFolder, encoding: 'utf8' });
  const sbom = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], { cwd: rootFolder, encoding: 'utf8' });
  expect(sbom.status, sbom.stderr).toBe(0);
  writeFileSync(list, sbom.stdout);
  expect(licences()).toMatchObject({ status: 0, stderr: '' });
  writeFileSync(list, JSON.stringify({ components: [{ name: 'odd', version: '1.0.0', licenses: [] }] }));
  expect(licences()).toMatchObject({ status: 1, stderr: expect.stringContaining('odd 1.0.0 has the licence ""') });
});
