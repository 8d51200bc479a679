import { signal } from '@preact/signals';
import type { Exchange } from '../../../../conformance/index.js';
import type { AdminType } from '../../../data/api.js';
import { go, hrefOf } from '../../../data/route.js';
import { parsed } from '../../../parts/json-view.js';
import type { CapsuleFile, CapsuleStep } from './capsule-cut.js';

/** A file whose requests are stepped through; it never leaves this page. */
export interface OpenedFile {
  readonly name: string;
  readonly steps: readonly CapsuleStep[];
  /** A HAR and a report have none: they do not say what decided the responses, so that they cannot be played. */
  readonly capsule?: CapsuleFile;
}

export const opened = signal<OpenedFile | undefined>(undefined);

/**
 * Opens a capsule, a HAR or a report of `teebox check`, and goes to the page that shows it.
 *
 * @throws {Error} if it is none of them.
 */
export function openFile(name: string, text: string): void {
  const file = fileIn(name, parsed(text));
  if (!file)
    throw new Error(`${name} was not opened: it is neither a capsule nor a HAR nor a JSON report of teebox check.`);
  opened.value = file;
  go(hrefOf(['requests', 'capsule']));
}

type Har = AdminType<'Har'>['log'];
type HarEntry = Har['entries'][number];

function fileIn(name: string, value: unknown): OpenedFile | undefined {
  const { steps, capsule, log, exchanges } = (value ?? {}) as Partial<CapsuleFile> & {
    readonly log?: Har;
    readonly exchanges?: readonly Exchange[];
  };
  if (Array.isArray(steps) && capsule !== undefined) return { name, steps, capsule: value as CapsuleFile };
  const sent = Array.isArray(log?.entries) ? log.entries.map(ofHar) : exchanges;
  if (Array.isArray(sent) && sent.every(isExchange)) return { name, steps: sent.map(stepOf) };
  return undefined;
}

/** Whether it has what is shown of it. */
function isExchange(one: Sent | undefined): one is Sent {
  const { request, response }: Partial<Sent> = one ?? {};
  return (
    URL.canParse(request?.url ?? '') &&
    typeof request!.headers === 'object' &&
    (response === undefined || typeof response.headers === 'object')
  );
}

/** A request with its response, of a HAR or of a report. */
type Sent = Pick<Exchange, 'id' | 'startedAt' | 'request'> & {
  readonly response?: Pick<NonNullable<Exchange['response']>, 'status' | 'headers'> & { readonly body?: string };
};

/** An entry of a HAR; undefined if it is none. */
function ofHar(entry: HarEntry | null, index: number): Sent | undefined {
  const {
    _id: id = `req-${index + 1}`,
    startedDateTime: startedAt,
    request,
    response,
  }: Partial<HarEntry> = entry ?? {};
  if (!Array.isArray(request?.headers) || !Array.isArray(response?.headers) || !response.content) return undefined;
  const { method, url, postData } = request;
  const { status, content } = response;
  return {
    id,
    startedAt: startedAt!,
    request: { method, url, headers: valuesOf(request.headers), ...(postData && { body: postData.text }) },
    ...(status > 0 && {
      response: {
        status,
        headers: valuesOf(response.headers),
        ...(content.text !== undefined && { body: content.text }),
      },
    }),
  };
}

function stepOf({ id, startedAt, request, response }: Sent): CapsuleStep {
  const { method, url, headers, body } = request;
  return {
    kind: 'request',
    id,
    at: startedAt,
    method,
    url,
    headers,
    ...(body !== undefined && { json: parsed(body) }),
    response: response
      ? {
          status: response.status,
          headers: response.headers,
          ...(response.body !== undefined && { json: parsed(response.body) }),
        }
      : null,
  } as CapsuleStep;
}

function valuesOf(pairs: HarEntry['request']['headers']): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
