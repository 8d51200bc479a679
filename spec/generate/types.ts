import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Contract } from './contract.js';
import { readable } from './embedded.js';
import { header } from './folders.js';

/** `types.ts`, `admin-types.ts`, `operator-types.ts`: a contract as TypeScript types. */
export async function typesFile(contract: Contract): Promise<string> {
  const nodes = await openapiTS(readable(contract) as OpenAPI3, { silent: true });
  return `${header}${astToString(nodes)}`;
}
