import { openapi } from '../../generated/openapi.js';
import type { Terminal } from '../terminal.js';

/** `teebox spec`: the contract as one OpenAPI document. */
export function specCommand({ out }: Terminal): void {
  out(openapi.trimEnd());
}
