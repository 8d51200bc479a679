import type { Terminal } from '../terminal.js';

/** `teebox spec`: prints an OpenAPI document. Each document is large and loaded only when it is printed. */
export async function specCommand(admin: boolean, { out }: Terminal): Promise<void> {
  const text = admin
    ? (await import('../../generated/built/admin-openapi.js')).adminOpenapi
    : (await import('../../generated/built/openapi.js')).openapi;
  out(text.trimEnd());
}
