/**
 * What a report says, whatever the command and the format. A command maps its result into this model (`check-report.ts`,
 * `src/certification/report.ts`, `src/cli/proxy/report.ts`), and each format renders it in one file.
 *
 * @module
 */
import { counted } from '../../common/index.js';
import type { Exchange } from '../client/exchange.js';
import type { Leftover } from '../client/types.js';

/** Text with marks. A format without them writes the words alone; each format escapes what is not its own markup. */
export type Text =
  | string
  | number
  /** Words of the suite itself, which contain nothing to escape in Markdown. */
  | { readonly own: string }
  /** A sentence in which backticks mark code. */
  | { readonly prose: string }
  | { readonly code: string }
  | { readonly strong: string }
  /** Words of the suite itself. */
  | { readonly emphasis: string }
  /** A verdict in its colour, with how often it came, or with another word for it. */
  | { readonly verdict: string; readonly count?: number; readonly word?: string }
  | readonly Text[];

/** The words of a text without its marks. */
export function wordsOf(text: Text): string {
  if (typeof text !== 'object') return String(text);
  if (isTexts(text)) return text.map(wordsOf).join('');
  if (!('verdict' in text)) return Object.values(text).join('');
  return `${text.count === undefined ? '' : `${text.count} `}${text.word ?? text.verdict}`;
}

export function isTexts(text: Text): text is readonly Text[] {
  return Array.isArray(text);
}

/**
 * What a row of a finding is, so that each format can choose: a `fact`; the rule in words (`statement`); what happened,
 * where no headline says it (`message`); a `detail` for other programs; the `document`; the ids of `exchanges`; the
 * `command` that sends the request again; a `request` that the report contains, or one that it does not (`passed`).
 */
export type RowKind =
  | 'fact'
  | 'statement'
  | 'message'
  | 'detail'
  | 'document'
  | 'exchanges'
  | 'command'
  | 'request'
  | 'passed';

export interface Row {
  readonly kind: RowKind;
  readonly label: string;
  readonly text: Text;
  /** Of a request: the id of its exchange. */
  readonly id?: string;
}

/** A rule or an obligation with its verdict. */
export interface ReportItem {
  readonly id: string;
  /** The first part of the id: the suite of JUnit, and the tag of SARIF. */
  readonly topic: string;
  readonly verdict: string;
  readonly basis: string;
  readonly severity: string;
  readonly statement: string;
  /** The result in one sentence. */
  readonly headline: string;
  readonly message?: string | undefined;
  /** The baseline lists it; in words where it says more. */
  readonly known?: { readonly justification?: string } | undefined;
  readonly rows: readonly Row[];
  /** Milliseconds that its exchanges took. */
  readonly durationMs: number;
  /** The exchange that shows it. */
  readonly exchange?: Exchange | undefined;
  /** The exchanges that the page links to, of how many. */
  readonly links?: { readonly ids: readonly string[]; readonly all: number };
  /** What SARIF adds: the rule in full, the level without `--fail-on`, and further properties. */
  readonly description?: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly place?: { readonly section: string; readonly item: string };
  readonly evidence: Readonly<Record<string, unknown>>;
  /** The operations and versions that it is about; a reader of the page may filter by them. */
  readonly concerns?: readonly { readonly name: string; readonly version: string }[];
}

/** Findings of one cause: the first is shown in full, and the others with it. */
export interface Cause {
  readonly first: ReportItem;
  readonly others: readonly ReportItem[];
  /** The cause in words, and how many rules share it. Absent where the first is alone. */
  readonly shared?: string | undefined;
  readonly verdict: string;
  readonly isKnown: boolean;
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Text[])[];
  /** How the page shows it; default: as a plain table. In `coverage`, the cells tell how much was evaluated. */
  readonly look?: 'matrix' | 'coverage' | 'pairs';
  /** The column that names a row; default: the first one of a matrix and of pairs. */
  readonly naming?: number;
}

/** A part of a report below its title. A section without rows is left out. */
export interface Section {
  readonly title: string;
  readonly count?: number;
  /** Percent, as a bar. */
  readonly meter?: number;
  readonly paragraphs?: readonly Text[];
  readonly table?: Table;
  readonly rows?: readonly Text[];
  /** The class of the list on the page. */
  readonly look?: 'resources';
  /** Rows that a terminal shows; default: 20. */
  readonly most?: number;
  readonly note?: Text;
  /** A part of this section. */
  readonly inner?: Section;
}

/** The number of the form of reports as JSON. It rises where a program that reads them must change. */
export const FORM = 1;

/** @throws {Error} if a report is of another form. */
export function expectForm(report: object): void {
  const { form = FORM } = report as { readonly form?: unknown };
  if (form !== FORM) throw new Error(`it is of form ${String(form)}, and this version of teebox reads form ${FORM}.`);
}

/** What a run found of one side: of a deployment, or of a client. */
export interface ReportSide {
  /** What was evaluated; the words of a report depend on it. */
  readonly judged: 'rule' | 'obligation';
  /** The command, such as `teebox check`. */
  readonly tool: string;
  readonly version: string;
  readonly verdict: string;
  readonly exitCode: number;
  /** The reason for the verdict, in one sentence. */
  readonly message: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly baseUrl: string;
  /** Every rule or obligation. */
  readonly items: readonly ReportItem[];
  /** Those that need attention, the gravest first and known ones last. */
  readonly findings: readonly ReportItem[];
  readonly causes: readonly Cause[];
  /** Entries of the baseline that no longer fail. */
  readonly stale: readonly string[];
  /** The verdict in a few words, for a badge; default: the verdict. */
  readonly badge?: string;
  /** What to know about the run itself; default: nothing. */
  readonly hints?: readonly string[];
  /** What was evaluated, in short; for the page. */
  readonly figures: string;
  /** The first line of a step summary, and the second one. Default of the first: the verdict. */
  readonly heading?: { readonly isGood: boolean; readonly text: Text };
  readonly summary: Text;
  /** What comes after the findings. */
  readonly sections: { readonly markdown: readonly Section[] };
  readonly junit: {
    readonly suite: string;
    readonly hostname: string;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly durationMs: number;
    /** The details, where the run as a whole came to no verdict. */
    readonly failure?: string | undefined;
  };
  readonly sarif: { readonly automationId: string; readonly notes: readonly string[] };
}

export interface ReportModel extends ReportSide {
  /** How many came to each verdict. */
  readonly counts: readonly (readonly [verdict: string, count: number])[];
  /** What comes before the findings. */
  readonly before: readonly Section[];
  /** What comes after the findings: each format has its own order. */
  readonly sections: Readonly<Record<'terminal' | 'markdown' | 'page', readonly Section[]>>;
  /** What went slower than it may, in a sentence. */
  readonly warnings: readonly string[];
  /** The first lines of a terminal, and the last but one. */
  readonly opening: readonly string[];
  readonly closing: string;
  /** How many causes a terminal shows in full; the others have a line each. Default: all. */
  readonly mostInFull?: number;
  /** What to do next; a terminal has it before the verdict. */
  readonly next?: readonly Text[];
  /** The heading of the page, what it is about, its title and its foot. */
  readonly banner: string;
  readonly subject: Text;
  readonly title: string;
  readonly footer: Text;
  /** The exchanges that the page shows, and how each ended. */
  readonly shown: readonly Exchange[];
  readonly outcomeOf?: (exchange: Exchange) => string;
  readonly har: { readonly exchanges: Iterable<Exchange>; readonly about: Readonly<Record<`_${string}`, unknown>> };
  readonly json: () => object;
  /** What the same run found of the client. */
  readonly beside?: ReportSide;
}

/** What a page shows of a report. */
export type ReportPage = Pick<
  ReportModel,
  | 'judged'
  | 'verdict'
  | 'exitCode'
  | 'message'
  | 'startedAt'
  | 'summary'
  | 'banner'
  | 'counts'
  | 'before'
  | 'items'
  | 'causes'
  | 'shown'
> & { readonly sections: Pick<ReportModel['sections'], 'page'> };

/** The sides of a run, for formats that write one after the other. */
export function sidesOf({ beside, ...own }: ReportModel): readonly [ReportModel, ...ReportSide[]] {
  return beside ? [own, beside] : [own];
}

/** A finding that is a cause of its own. */
export function aloneIn(first: ReportItem): Cause {
  return { first, others: [], verdict: first.verdict, isKnown: first.known !== undefined };
}

export function listed(title: string, rows: readonly Text[], most?: number): Section {
  return { title, rows, count: rows.length, ...(most === undefined ? {} : { most }) };
}

/** How much was left behind, by kind: a file lists it. */
export function leftInShort(litter: readonly Leftover[], ...perhaps: readonly [one: string, many?: string]): string[] {
  const words = { booking: ['booking'], payment: ['payment'], perhaps } as const;
  const shown = Object.entries(words).flatMap(([kind, [one, many]]) => {
    const { length } = litter.filter((left) => left.kind === kind);
    return length > 0 ? [counted(length, one, many)] : [];
  });
  return shown.length === 0 ? [] : [`${shown.join(', ')}; --leftovers FILE lists them`];
}

/** The rows of some kinds; without kinds, all of them. */
export function rowsOf({ rows }: ReportItem, ...kinds: readonly RowKind[]): readonly Row[] {
  return kinds.length === 0 ? rows : rows.filter(({ kind }) => kinds.includes(kind));
}

/** Rows as `Label: text`. */
export function linesOf(rows: readonly Row[]): string[] {
  return rows.map(({ label, text }) => `${label}: ${wordsOf(text)}`);
}

/** What a report says of an entry of the baseline that is out of date. */
export function staleText(id: string): string {
  return `The baseline has ${id}, which no longer fails; please remove it.`;
}

/** The section of such entries; with `code`, as code. */
export function staleSection(stale: readonly string[], code = false): Section {
  const rows = code ? stale.map((id) => ({ code: id })) : stale;
  return listed('In the baseline, but no longer failing', rows);
}
