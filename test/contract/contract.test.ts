import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createConfig, lint, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadContract, placedOperations } from '../../spec/generate/contract.js';
import { specFolder } from '../../spec/generate/folders.js';
import openapi from '../../src/contract/generated/built/openapi.json' with { type: 'json' };
import { operations } from '../../src/contract/generated/operations.js';

const contract = await loadContract();
const placed = placedOperations(contract);

interface Section {
  readonly section: string;
  readonly paths?: Readonly<Record<string, string>>;
}

/** The table of the section "Versioning": methods and path, and the versions that have them. */
const outline = parse(readFileSync(resolve(specFolder, 'document.yaml'), 'utf8')) as readonly Section[];
const versioning = Object.entries(outline.find(({ section }) => section === 'Versioning')!.paths!);

describe('the contract', () => {
  test('has exactly the paths and methods of the API specification', () => {
    const want = versioning.flatMap(([row, versions]) => {
      const [path, ...methods] = row.split(' ').reverse() as [string, ...string[]];
      const paths = versions.split(' ').map((version) => path.replace('vN', version));
      return paths.flatMap((one) => methods.map((method) => `${method} ${one}`));
    });
    expect(placed.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(want.sort());
    expect(new Set(operations.map(({ id }) => id.replace(/\.post$/, '')))).toHaveLength(
      versioning.flatMap(([, versions]) => versions.split(' ')).length,
    );
  });

  test('lets GET and POST of a payment mean the same', () => {
    const posts = placed.filter(({ operation }) => operation.operationId.endsWith('.post'));
    expect(posts).toHaveLength(
      placed.filter(({ path, method }) => path.includes('/payment/') && method === 'get').length,
    );
    for (const { path, operation } of posts) {
      const { get } = contract.paths[path]!;
      expect(operation.operationId).toBe(`${get!.operationId}.post`);
      expect([operation.parameters, operation.responses]).toEqual([get!.parameters, get!.responses]);
    }
  });

  test('describes the callback of the search', () => {
    const { callbacks } = contract.paths['/api/v5/teetimes']!['get']!;
    expect(Object.keys(callbacks!['result']!)).toEqual(['{$request.query.callbackUrl}']);
  });

  const recommended = () => createConfig({ extends: ['recommended'] });
  const expectNone = (problems: Awaited<ReturnType<typeof lint>>) =>
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  test('passes the recommended lint in one piece', async () => {
    const piece = { source: JSON.stringify(openapi), absoluteRef: 'openapi.json' };
    expectNone(await lintFromString({ ...piece, config: await recommended() }));
  });
  test('passes the recommended lint in files', { tags: ['slow'] }, async () => {
    expectNone(await lint({ ref: resolve(specFolder, 'openapi.yaml'), config: await recommended() }));
  });
});
