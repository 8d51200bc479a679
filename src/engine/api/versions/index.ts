import type { OperationSpec, Version } from '../../../contract/index.js';
import type { Route } from '../routes/call.js';
import { refreshToken } from '../routes/tokens.js';
import type { Handlers } from './handlers.js';
import { v1 } from './v1.js';
import { v2 } from './v2.js';
import { v3 } from './v3.js';
import { v4 } from './v4.js';
import { v5 } from './v5.js';

/** Every version of the contract. A new version needs a path file in `spec/`, a file here, and a line in this table. */
const versions: Readonly<Record<Version, Readonly<Record<string, Route>>>> = {
  '*': { refreshToken } satisfies Handlers<'*'>,
  v1,
  v2,
  v3,
  v4,
  v5,
};

/** The route of an operation. GET and POST of a payment share one route. */
export function handlerOf({ id, version, name }: OperationSpec): Route {
  const routes = (versions as Partial<typeof versions>)[version];
  const route = routes?.[name];
  if (route) return route;
  const table = routes ? '' : ', and the file in src/engine/api/versions/index.ts';
  throw new Error(`${id} has no route. Name it in src/engine/api/versions/${version}.ts${table}.`);
}
