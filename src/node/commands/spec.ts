import type { Terminal } from '../terminal.js';

/** `teebox spec`: the contract as one OpenAPI document; or the admin API. Each is large, and loaded alone. */
export async function specCommand(admin: boolean, { out }: Terminal): Promise<void> {
  const text = admin
    ? (await import('../../generated/admin-openapi.js')).adminOpenapi
    : (await import('../../generated/openapi.js')).openapi;
  out(text.trimEnd());
}
