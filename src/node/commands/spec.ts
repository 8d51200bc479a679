import { openapi } from '../../generated/openapi.js';
import type { Terminal } from '../cli.js';

/** `teebox spec`: the contract as one OpenAPI document. */
export function specCommand({ out }: Terminal): void {
  out(openapi.trimEnd());
}
