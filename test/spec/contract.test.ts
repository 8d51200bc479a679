import { resolve } from 'node:path';
import { createConfig, lint, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { loadContract, placedOperations } from '../../spec/generate/contract.js';
import { specFolder } from '../../spec/generate/folders.js';
import { openapi } from '../../src/generated/openapi.js';
import { operations } from '../../src/generated/operations.js';

const contract = await loadContract();
const placed = placedOperations(contract);

/** The table of the section "Versioning", one row an operation, payments by both methods. */
const versioning: [path: string, methods: string, versions: string][] = [
  ['/api/{version}/token/refreshToken', 'POST', '*'],
  ['/api/vN/countries', 'GET', 'v2 v3'],
  ['/api/vN/facilities', 'GET', 'v1 v2 v3'],
  ['/api/vN/facilities/{facilityId}', 'GET', 'v1 v2 v3'],
  ['/api/vN/facilities/details/{facilityId}', 'GET', 'v2 v3'],
  ['/api/vN/teetimes/{facilityId}', 'GET', 'v2 v3 v4'],
  ['/api/vN/teetimes/{facilityId}/{courseId}', 'GET', 'v5'],
  ['/api/vN/teetimes', 'GET', 'v5'],
  ['/api/vN/price/insideDateRange', 'GET', 'v5'],
  ['/api/vN/bookings', 'POST', 'v2 v5'],
  ['/api/vN/bulkbookings', 'POST', 'v3'],
  ['/api/vN/bookings', 'GET', 'v1 v2 v4'],
  ['/api/vN/bookings/payment/{serviceBookingId}', 'GET POST', 'v1 v3 v4 v5'],
  ['/api/vN/bulkbookings/payment/{bulkBookingId}', 'GET POST', 'v3 v4 v5'],
];

describe('the contract', () => {
  test('has exactly the paths and methods of the document', () => {
    const want = versioning.flatMap(([path, methods, versions]) => {
      const paths = versions.split(' ').map((version) => path.replace('vN', version));
      return paths.flatMap((one) => methods.split(' ').map((method) => `${method} ${one}`));
    });
    expect(placed.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(want.sort());
    expect(new Set(operations.map(({ id }) => id.replace(/\.post$/, '')))).toHaveLength(30);
  });

  test('lets GET and POST of a payment mean the same', () => {
    const posts = placed.filter(({ operation }) => operation.operationId.endsWith('.post'));
    expect(posts).toHaveLength(7);
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

  test('passes the recommended lint, in files and in one piece', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = [
      ...(await lint({ ref: resolve(specFolder, 'openapi.yaml'), config })),
      ...(await lintFromString({ source: openapi, absoluteRef: 'openapi.json', config })),
    ];
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });
});
