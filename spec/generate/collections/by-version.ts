import type { Call } from '../calls/call.js';
import type { Folder, Request } from './model.js';
import { findBooking, findFree, findLinked, keepBooking, keepGroup, keepTokens } from './scripts.js';

/** Every operation, in a folder for each version. */
export function byVersion(calls: readonly Call[], answers: ReadonlyMap<string, unknown>): Folder {
  const versions = [...new Set(calls.map(({ version }) => version))].sort();
  const folders = versions.map((version) => ({
    name: version === '*' ? 'Any version' : version,
    description: version === '*' ? 'Operations whose version is a parameter.' : `Every operation of ${version}.`,
    requests: calls.filter((call) => call.version === version).map((call) => requestOf(call, answers.get(call.id))),
  }));
  return {
    name: 'By version',
    description: 'Every operation of every version. A request that books finds a free tee time first.',
    folders,
  };
}

/** The request of a call. */
export function requestOf(call: Call, answer: unknown): Request {
  const { title, description, method, path, query, body, auth, rule } = call;
  return {
    name: title.replace(/ \(v\d+\)$/, '').replace(/\(v\d+, /, '('),
    description: `${description}\n\nRule \`${rule}\`.`,
    method,
    path,
    query,
    ...(body !== undefined && { body }),
    auth,
    scenario: scenarioOf(call),
    wanted: { status: 200, success: true },
    ...scriptsOf(call),
    answer,
  };
}

function scenarioOf({ name }: Call): string {
  if (name.startsWith('create')) return 'payment-pi-failed; phase=after-commit';
  return name === 'searchTeeTimes' ? 'callback-never' : 'server-error';
}

function scriptsOf({ id, name }: Call): Pick<Request, 'before' | 'after'> {
  if (name === 'refreshToken') return { after: keepTokens };
  if (name === 'confirmPayment') return { before: findBooking };
  if (id.endsWith('.linked')) return { before: findLinked, after: keepGroup };
  if (!name.startsWith('create')) return {};
  const single = id.endsWith('.createBooking');
  return { before: findFree, after: single ? keepBooking : keepGroup };
}
