import { useEffect, useRef, useState } from 'preact/hooks';
import { type Cause, type Exchange, type ReportItem, rowsOf, verdicts, wordsOf } from '../../../conformance/index.js';
import { go, hrefOf, queryField, route } from '../../data/route.js';
import { MethodBadge, StatusBadge } from '../../parts/badge.js';
import { CodeBlock } from '../../parts/copy.js';
import { SelectField, TextField } from '../../parts/field.js';
import { parsed } from '../../parts/json-view.js';
import { Card, Empty } from '../../parts/page.js';
import { Prose } from '../../parts/prose.js';
import { Exchange as Messages } from '../requests/exchange.js';
import { type ShownReport, VerdictBadge, Words } from './words.js';

const ALL = 'all';
const MOST = 200;

/** By what a reader filters; the address keeps it, so that a link shows the same. */
const facets = ['verdict', 'severity', 'operation', 'version'] as const;

function valuesOf({
  verdict,
  severity,
  concerns = [],
}: ReportItem): Readonly<Record<(typeof facets)[number], readonly string[]>> {
  return {
    verdict: [verdict],
    severity: [severity],
    operation: concerns.map(({ name }) => name),
    version: concerns.map(({ version }) => version).filter((version) => version !== '*'),
  };
}

function isWanted(item: ReportItem, query: URLSearchParams): boolean {
  const values = valuesOf(item);
  const text = (query.get('text') ?? '').toLowerCase();
  const { id, headline, statement } = item;
  return (
    facets.every((facet) => ['', ALL].includes(query.get(facet) ?? '') || values[facet].includes(query.get(facet)!)) &&
    `${id} ${headline} ${statement}`.toLowerCase().includes(text)
  );
}

/** The findings by their causes; by a verdict, every rule or obligation that has it. */
export function Findings({ of, page }: { readonly of: ShownReport; readonly page: string }) {
  const { query, rest } = route.value;
  const { items, causes } = of;
  const isWhole = (query.get('verdict') ?? '') !== '';
  const wanted = new Set(items.filter((item) => isWanted(item, query)));
  const shownCauses = causes.filter(({ first, others }) => [first, ...others].some((one) => wanted.has(one)));
  const ordered = verdictsOf(items).flatMap((verdict) => [...wanted].filter((one) => one.verdict === verdict));
  const all = isWhole
    ? ordered.map((first): Cause => ({ first, others: [], verdict: first.verdict, isKnown: false }))
    : shownCauses;
  const members = all.flatMap(({ first, others }) => [first, ...others]);
  // A link leads to its finding, whatever the filters are.
  const asked = items.find(({ id }) => id === rest[0]);
  const context = { page, shown: of.shown };
  const shown = isWhole ? ordered : members;
  const about = `${shown.length} of ${items.length} ${of.judged}s${isWhole ? '.' : ' need attention.'}`;
  return (
    <Card title="Findings" about={items.length > 0 && about}>
      {items.length > 0 && <Filters items={items} />}
      {asked && !members.includes(asked) && <Finding of={asked} {...context} />}
      {all.length === 0 && <Empty title={isWhole ? `No ${of.judged} is like that` : 'Nothing needs attention'} />}
      {all.slice(0, MOST).map((cause) => (
        <CauseRows key={keyOf(cause.first)} of={cause} {...context} />
      ))}
      {all.length > MOST && <p class="about">{`And ${all.length - MOST} more.`}</p>}
    </Card>
  );
}

/** A key: several findings of a report of `explore` may have one id. */
function keyOf({ id, headline }: ReportItem): string {
  return `${id} ${headline}`;
}

/** The verdicts that there are, the gravest first. */
function verdictsOf(items: readonly ReportItem[]): readonly string[] {
  const found = new Set(items.map(({ verdict }) => verdict));
  const order: readonly string[] = ['fail', 'not-seen', ...verdicts];
  return [...found].sort((one, other) => order.indexOf(one) - order.indexOf(other));
}

function Filters({ items }: { readonly items: readonly ReportItem[] }) {
  const optionsOf = (facet: (typeof facets)[number]): readonly (readonly [string, string])[] => {
    if (facet === 'verdict') {
      const counted = (verdict: string) => items.filter((one) => one.verdict === verdict).length;
      const each = verdictsOf(items).map((verdict) => [verdict, `${verdict} (${counted(verdict)})`] as const);
      return [['', 'needs attention'], ...each, [ALL, `all (${items.length})`]];
    }
    const found = [...new Set(items.flatMap((item) => valuesOf(item)[facet]))].sort();
    return [['', 'all'], ...found.map((value) => [value, value] as const)];
  };
  return (
    <div class="filters" role="search" aria-label="Filter the findings">
      {facets.map((facet) => {
        const options = optionsOf(facet);
        const label = facet[0]!.toUpperCase() + facet.slice(1);
        if (options.length < 2) return null;
        return <SelectField key={facet} label={label} {...queryField(facet)} options={options} />;
      })}
      <TextField label="Text" type="search" {...queryField('text')} />
    </div>
  );
}

interface Context {
  /** The page of the console that shows the report. */
  readonly page: string;
  readonly shown: readonly Exchange[];
}

/** Findings of one cause: the first, and the others folded. */
function CauseRows({ of: { first, others, shared }, ...context }: Context & { readonly of: Cause }) {
  const asked = others.some(({ id }) => id === route.value.rest[0]);
  return (
    <>
      <Finding of={first} {...context} />
      {others.length > 0 && (
        <details class="others" open={asked}>
          <summary>{`${others.length} more of one cause${shared === undefined ? '' : `, ${shared}`}`}</summary>
          {others.map((one) => (
            <Finding key={keyOf(one)} of={one} {...context} />
          ))}
        </details>
      )}
    </>
  );
}

/** A finding. The address names the one that was opened last, so that it can be handed on. */
function Finding({ of, page, shown }: Context & { readonly of: ReportItem }) {
  const { id, verdict, headline, known } = of;
  const isAsked = route.value.rest[0] === id;
  const [open, setOpen] = useState(isAsked);
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => void (isAsked && ref.current!.scrollIntoView({ block: 'center' })), []);
  const toggled = (now: boolean) => {
    setOpen(now);
    if (now !== (route.value.rest[0] === id))
      go(hrefOf(now ? [page, id] : [page], route.value.query), { replace: true });
  };
  return (
    <details class="finding" ref={ref} open={open} onToggle={({ currentTarget }) => toggled(currentTarget.open)}>
      <summary>
        <VerdictBadge of={verdict} /> <strong>{id}</strong> {known && <span class="about">known</span>}{' '}
        <Prose text={headline} />
      </summary>
      {open && <FindingRows of={of} shown={shown} />}
    </details>
  );
}

function FindingRows({ of, shown }: { readonly of: ReportItem; readonly shown: readonly Exchange[] }) {
  const { basis, severity, statement, place, rows, links } = of;
  const facts = rowsOf(of, 'statement', 'fact', 'detail');
  const ids = links?.ids ?? rowsOf(of, 'request').map(({ id }) => id!);
  const commands = rowsOf(of, 'command');
  const documents = rowsOf(of, 'document').map(({ text }) => text);
  if (documents.length === 0 && place) documents.push(`${place.section}, ${place.item}`);
  return (
    <div class="finding-body">
      <dl>
        {rows.length === 0 && <Pair name="Rule" of={<Prose text={statement} />} />}
        {facts.map(({ label, text }) => (
          <Pair key={label} name={label} of={<Words of={text} />} />
        ))}
        {documents.map((text) => (
          <Pair
            name="Specification"
            of={
              <>
                <Words of={text} /> <span class="about">{`(${basis}, ${severity})`}</span>
              </>
            }
          />
        ))}
      </dl>
      {commands.map(({ text }, at) => (
        <CodeBlock key={at} code={wordsOf(text)} name="the command" />
      ))}
      {shown
        .filter((one) => ids.includes(one.id))
        .map((one) => (
          <Shown key={one.id} of={one} />
        ))}
    </div>
  );
}

function Pair({ name, of }: { readonly name: string; readonly of: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{of}</dd>
    </div>
  );
}

function Shown({ of: { id, request, response, failure } }: { readonly of: Exchange }) {
  const body = request.body === undefined ? {} : { body: parsed(request.body) };
  return (
    <details>
      <summary>
        {id} <MethodBadge method={request.method} /> <code>{request.url}</code>{' '}
        <StatusBadge status={response?.status ?? 0} none={failure ?? 'no response'} />
      </summary>
      <Messages
        view={{
          request: { headers: request.headers, ...body },
          ...(response && { response: { ...response, body: parsed(response.body) } }),
        }}
      />
    </details>
  );
}
