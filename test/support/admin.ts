import { expect } from 'vitest';
import type { Sandbox } from '../../src/engine/library.js';
import { adminFaults } from './contract/admin-document.js';
import { ORIGIN, readReply, type Reply } from './client.js';

export type Admin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** Calls the admin API of a sandbox: a body that is no text is sent as JSON. Each answer must be as described. */
export function adminOf(sandbox: Sandbox): Admin {
  return async (method, path, body, headers = {}) => {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const init = { method, headers, ...(text === undefined ? {} : { body: text }) };
    return asDescribed(
      method,
      path,
      await readReply(await sandbox.fetch(new Request(`${ORIGIN}/__admin/${path}`, init))),
    );
  };
}

/** An answer of the admin API that fits its document; `path` is below `__admin/`. */
export function asDescribed(method: string, path: string, reply: Reply): Reply {
  expect({ method, path, faults: adminFaults(method, path, reply) }).toEqual({ method, path, faults: [] });
  return reply;
}

/** What a problem is to look like (RFC 9457). */
export function expectedProblem(status: number, detail: unknown): object {
  return { type: 'about:blank', title: expect.any(String), status, detail };
}
