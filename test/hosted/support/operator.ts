import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { builtFolder } from '../../../spec/generate/folders.js';
import type { Json } from '../../support/scenes.js';
import { OPERATOR_TOKEN, type Workerd } from './workerd.js';

/** An answer to the operator. */
export interface OperatorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

const document: Json = JSON.parse(readFileSync(resolve(builtFolder, 'operator-openapi.json'), 'utf8'));
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'operator');
const paths = Object.keys(document.paths).map(
  (path) => [path, new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)] as const,
);

/** What is wrong with an answer by the document; empty if it is as described, or if the document has no such operation. */
function faultsOf(method: string, target: string, status: number, body: Json): string[] {
  const path = paths.find(([, pattern]) => pattern.test(target.split('?')[0]!))?.[0];
  const operation = path === undefined ? undefined : document.paths[path][method.toLowerCase()];
  if (!operation) return [];
  let response: Json = operation.responses[status];
  if (!response) return [`${method} ${path} describes no ${status}`];
  if (response.$ref) response = document.components.responses[response.$ref.split('/').at(-1)];
  const [content] = Object.values<Json>(response.content);
  const validate = ajv.compile({ $ref: `operator${content.schema.$ref}` });
  return validate(body) ? [] : [`${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`];
}

/** Asks as the operator and checks the answer by the document. The text of a body is sent as it is. */
export async function operate(
  { url }: Pick<Workerd, 'url'>,
  method: string,
  path: string,
  body?: unknown,
  token: string | null = OPERATOR_TOKEN,
): Promise<OperatorReply> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const read = JSON.parse(text) as Json;
  const faults = faultsOf(method, path, response.status, read);
  if (faults.length > 0) throw new Error(`${faults.join('; ')}: ${text}`);
  return { status: response.status, headers: response.headers, body: read };
}
