import { type ClientRequest, sendAsClient } from '../../data/client-request.js';

export type ViewedDocument = 'api' | 'admin';

/** A JSON Schema, as far as the two documents use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly deprecated?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly 'x-rule'?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
  readonly 'x-rule'?: string;
}

interface Content {
  readonly 'application/json'?: {
    readonly schema: Schema;
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

interface Body {
  readonly description?: string;
  readonly content?: Content;
}

interface RawOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  readonly 'x-rule'?: string;
}

type Examples = readonly (readonly [name: string, value: unknown])[];

/** An operation with everything it refers to, but for its schemas. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly rule?: string | undefined;
  /** Whether it takes credentials. */
  readonly secured: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: Schema; readonly examples: Examples } | undefined;
  readonly responses: readonly {
    readonly status: string;
    readonly description: string;
    readonly schema?: Schema | undefined;
    readonly examples: Examples;
  }[];
}

/** A document of OpenAPI, read for the page. */
export interface Contract {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly Operation[];
  /** What a reference leads to; anything else is itself. */
  readonly deref: <Part extends object>(part: Part) => Part;
}

interface RawDocument {
  readonly tags: Contract['tags'];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The two documents of the package, which no other page loads. */
declare const TEEBOX_API: string;
declare const TEEBOX_ADMIN_API: string;

export async function loadContract(of: ViewedDocument): Promise<Contract> {
  const response = await fetch(`console/${of === 'api' ? TEEBOX_API : TEEBOX_ADMIN_API}`);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return read((await response.json()) as RawDocument);
}

function read(document: RawDocument): Contract {
  const deref = <Part extends object>(part: Part): Part => {
    const { $ref } = part as { readonly $ref?: string };
    if ($ref === undefined) return part;
    const names = $ref.slice(2).split('/');
    // A reference may stand beside words of its own, which count.
    const found = names.reduce<any>((at, name) => at[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
    const { $ref: _, ...own } = part as Record<string, unknown>;
    return { ...deref(found as Part), ...own };
  };
  const examplesOf = (content: Content | undefined): Examples =>
    Object.entries(content?.['application/json']?.examples ?? {}).map(([name, one]) => [name, deref(one).value]);
  const operationOf = (path: string, method: string, shared: readonly Parameter[], raw: RawOperation): Operation => {
    const body = raw.requestBody && deref(raw.requestBody).content;
    return {
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      tag: raw.tags[0]!,
      summary: raw.summary,
      description: raw.description ?? '',
      rule: raw['x-rule'],
      secured: raw.security?.length !== 0,
      parameters: [...shared, ...(raw.parameters ?? [])].map(deref),
      body: body?.['application/json'] && { schema: body['application/json'].schema, examples: examplesOf(body) },
      responses: Object.entries(raw.responses).map(([status, response]) => {
        const { description = '', content } = deref(response);
        return { status, description, schema: content?.['application/json']?.schema, examples: examplesOf(content) };
      }),
    };
  };
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) =>
      item[method]
        ? [operationOf(path, method, (item['parameters'] ?? []) as Parameter[], item[method] as RawOperation)]
        : [],
    ),
  );
  return { tags: document.tags, operations, deref };
}

/** The path with its query; optional parameters without a value are left out. */
export function addressOf({ path, parameters }: Operation, valueOf: (parameter: Parameter) => string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)!;
    return encodeURIComponent(valueOf(parameter));
  });
  const query = parameters.flatMap((one) =>
    one.in === 'query' && valueOf(one) !== '' ? [[one.name, valueOf(one)]] : [],
  );
  return `${filled}${query.length === 0 ? '' : `?${new URLSearchParams(query)}`}`;
}

export interface SeenResponse {
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** Whether more may come, as of a stream of events. */
  readonly open: boolean;
}

/** Sends a request. What has come of a response is told as it comes, so that streams can be followed. */
export async function sendRequest(
  request: ClientRequest,
  signal: AbortSignal,
  tell: (response: SeenResponse) => void,
): Promise<SeenResponse> {
  const begun = performance.now();
  const response = await sendAsClient(request, signal);
  const milliseconds = performance.now() - begun;
  let seen: SeenResponse = {
    status: response.status,
    milliseconds,
    headers: [...response.headers],
    text: '',
    open: true,
  };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader!.read()) {
      seen = { ...seen, text: seen.text + next.value };
      tell(seen);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { ...seen, open: false };
}
