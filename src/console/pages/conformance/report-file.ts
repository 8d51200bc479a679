import { signal } from '@preact/signals';
import {
  checkPage,
  type Exchange,
  explorePage,
  readExploration,
  readReport,
  type Report,
  type ReportPage,
} from '../../../conformance/index.js';

/** A JSON report of `teebox check` or `teebox explore`, as it was opened. */
export interface OpenedReport {
  /** The name of the file. */
  readonly name: string;
  readonly text: string;
  readonly model: ReportPage;
  /** Only of `check`: two of them are compared. */
  readonly report?: Report;
}

/** The opened reports, the newer run last; they never leave this browser. */
export const opened = signal<readonly OpenedReport[]>([]);

const MOST = 2;

/**
 * Opens a file; of three, the one that was opened first is closed. A report of `explore` is open alone.
 *
 * @throws {Error} if it is no report.
 */
export function openReport(name: string, text: string): void {
  const next = reportIn(name, text);
  const others = opened.value.filter((one) => one.name !== name && one.report && next.report).slice(1 - MOST);
  opened.value = [...others, next].sort((a, b) => (a.model.startedAt < b.model.startedAt ? -1 : 1));
  keep();
}

export function closeReports(): void {
  opened.value = [];
  keep();
}

function reportIn(name: string, text: string): OpenedReport {
  try {
    const value: unknown = JSON.parse(text);
    const explored = readExploration(value);
    if (explored) return { name, text, model: explorePage(explored) };
    const report = readReport(value) as Report & { readonly exchanges?: readonly Exchange[] };
    const exchanges = new Map((report.exchanges ?? []).map((one) => [one.id, one]));
    return { name, text, report, model: checkPage({ report, exchanges }) };
  } catch (error) {
    const reason = error instanceof TypeError ? 'parts of it are missing.' : (error as Error).message;
    throw new Error(`${name} was not opened: ${reason} Drop a file of \`--report json=FILE\`.`, { cause: error });
  }
}

const KEPT = 'teebox-reports';
let kept = Promise.resolve();

/** Keeps the opened reports in this browser, so that they survive a reload. Only secure origins can. */
function keep(): void {
  if (!('caches' in globalThis)) return;
  const files = opened.value;
  const write = async () => {
    await caches.delete(KEPT);
    const cache = await caches.open(KEPT);
    for (const { name, text } of files) await cache.put(encodeURIComponent(name), new Response(text));
  };
  // A browser that keeps nothing forgets them.
  kept = kept.then(write).catch(() => {});
}

/** Opens what was open before the page was loaded. Another version of Teebox may no longer read it. */
export async function reopen(): Promise<void> {
  if (!('caches' in globalThis) || opened.value.length > 0) return;
  try {
    const cache = await caches.open(KEPT);
    const found = await Promise.all(
      (await cache.keys()).map(async (key) => [key.url, await cache.match(key)] as const),
    );
    for (const [url, file] of found) openReport(decodeURIComponent(url.split('/').at(-1)!), await file!.text());
  } catch {
    closeReports();
  }
}
