import { signal } from '@preact/signals';
import type { AdminType } from '../../../data/api.js';
import { go, hrefOf } from '../../../data/route.js';
import { parsed } from '../../../parts/json-view.js';
import type { CapsuleFile, CapsuleStep } from './capsule-cut.js';

/** A file whose requests are stepped through; it never leaves this page. */
export interface OpenedFile {
  readonly name: string;
  readonly steps: readonly CapsuleStep[];
  /** A HAR has none: it does not say what decided the responses, so that it cannot be played. */
  readonly capsule?: CapsuleFile;
}

export const opened = signal<OpenedFile | undefined>(undefined);

/**
 * Opens a capsule or a HAR, and goes to the page that shows it.
 *
 * @throws {Error} if it is neither.
 */
export function openFile(name: string, text: string): void {
  const file = fileIn(name, parsed(text));
  if (!file) {
    throw new Error(
      `${name} was not opened: it is neither a capsule nor a HAR. A report opens on the page Conformance.`,
    );
  }
  opened.value = file;
  go(hrefOf(['requests', 'capsule']));
}

type Har = AdminType<'Har'>['log'];
type HarEntry = Har['entries'][number];

function fileIn(name: string, value: unknown): OpenedFile | undefined {
  const { steps, capsule, log } = (value ?? {}) as Partial<CapsuleFile> & { readonly log?: Har };
  if (Array.isArray(steps) && capsule !== undefined) return { name, steps, capsule: value as CapsuleFile };
  if (Array.isArray(log?.entries) && log.entries.every(isEntry)) return { name, steps: log.entries.map(stepOf) };
  return undefined;
}

/** Whether it has what is shown of it. */
function isEntry(entry: HarEntry | null): boolean {
  const { request, response }: Partial<HarEntry> = entry ?? {};
  return (
    URL.canParse(request?.url ?? '') &&
    Array.isArray(request!.headers) &&
    Array.isArray(response?.headers) &&
    typeof response.content === 'object'
  );
}

function stepOf({ _id, startedDateTime, request, response }: HarEntry, index: number): CapsuleStep {
  const { method, url, postData } = request;
  return {
    kind: 'request',
    id: _id ?? `req-${index + 1}`,
    at: startedDateTime,
    method,
    url,
    headers: valuesOf(request.headers),
    ...(postData && { json: parsed(postData.text) }),
    response:
      response.status === 0
        ? null
        : {
            status: response.status,
            headers: valuesOf(response.headers),
            ...(response.content.text !== undefined && { json: parsed(response.content.text) }),
          },
  } as CapsuleStep;
}

function valuesOf(pairs: HarEntry['request']['headers']): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
