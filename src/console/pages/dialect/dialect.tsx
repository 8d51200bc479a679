import { useEffect, useRef, useState } from 'preact/hooks';
import { counted, parsedJson } from '../../../common/index.js';
import { call } from '../../data/api.js';
import { useLive } from '../../data/journal.js';
import { queryField, route, setQuery } from '../../data/route.js';
import { AsCurl } from '../../parts/curl.js';
import { CheckField, SelectField, TextField } from '../../parts/field.js';
import { Card, Empty, Facts, Failure, PageHead } from '../../parts/page.js';
import { Prose } from '../../parts/prose.js';
import {
  type CardBody,
  changedCard,
  changes,
  dialectCall,
  discard,
  draft,
  type OpenQuestion,
  putCard,
  shownAnswer,
} from './draft.js';
import { FileButton, saveFile } from '../../parts/files.js';
import { JsonView } from '../../parts/json-view.js';
import { toast } from '../../data/toasts.js';
import { Badge } from '../../parts/badge.js';
import { AnswerForm } from './answer-form.js';

/** A question with its answer; opened, it shows where it comes from and what each answer changes. */
function QuestionItem({ question }: { readonly question: OpenQuestion }) {
  const { id, kind, differs } = question;
  const isAsked = route.value.rest[0] === id;
  const [open, setOpen] = useState(isAsked);
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isAsked) ref.current!.scrollIntoView({ block: 'center' });
  }, [isAsked]);
  const changed = draft.value.get(id);
  return (
    <li class="question" ref={ref}>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="question-words">
            <span>
              <Prose text={question.question} />
            </span>
            <code>{id}</code>
          </span>
          <span class="question-now">
            {changed !== undefined && <Badge tone="warn">not applied</Badge>}
            {differs && <Badge tone="info">differs</Badge>}
            {kind === 'noted' ? (
              <span class="about">no choice</span>
            ) : (
              <code>{shownAnswer(changed ?? question.answer)}</code>
            )}
          </span>
        </summary>
        {open && <Details question={question} />}
      </details>
    </li>
  );
}

function Details({ question }: { readonly question: OpenQuestion }) {
  const { source, operations = [], rules, probe, why } = question;
  return (
    <div class="question-details">
      {why ? <p>{why}</p> : <AnswerForm question={question} />}
      <Facts
        of={[
          ['The API specification is silent in', <Prose text={`${source.section}, ${source.item}`} />],
          ...(operations.length > 0 ? [['Operations', operations.join(', ')] as const] : []),
          ['How to find the answer of a deployment', <Prose text={probe} />],
        ]}
      />
      {rules.length > 0 && (
        <div>
          <p class="about">Rules that follow the answer</p>
          <ul class="question-rules">
            {rules.map(({ id, statement }) => (
              <li key={id}>
                <code>{id}</code> <Prose text={statement} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Takes a card from a file, gives it as one, and goes back to the defaults. */
function CardActions({ card, reload }: { readonly card: CardBody | undefined; readonly reload: () => void }) {
  const put = async (next: CardBody, done: string) => {
    const reason = await putCard(next, done);
    if (reason === undefined) reload();
    else toast(reason, 'bad');
  };
  const take = async (name: string, text: string) => {
    const read = parsedJson(text) as CardBody | undefined;
    if (read === undefined) return toast(`${name} is not JSON. Export a card to see its form.`, 'bad');
    await put(read, `The card of ${name} is in force.`);
  };
  const defaults = { ...(card?.scenarios && { scenarios: card.scenarios }) };
  return (
    <>
      <FileButton label="Import a card" accept=".json,application/json" take={take} />
      <AsCurl of={{ method: 'PUT', path: 'dialect' }} title="Import a card" file="dialect.json" />
      <button
        type="button"
        class="button"
        disabled={!card}
        onClick={() => saveFile(`${card!.name ?? 'dialect'}.json`, `${JSON.stringify(card, null, 2)}\n`)}
      >
        Export the card
      </button>
      <AsCurl of={call('GET', 'dialect')} title="Export the card" file="dialect.json" />
      <button
        type="button"
        class="button"
        disabled={!card}
        onClick={() => void put(defaults, 'Every answer is the default.')}
      >
        Back to the defaults
      </button>
      <AsCurl of={dialectCall(defaults)} title="Back to the defaults" />
    </>
  );
}

/** The card in force, in short and whole. */
function CardFacts({
  card,
  questions,
}: {
  readonly card: CardBody | undefined;
  readonly questions: readonly OpenQuestion[];
}) {
  const answerable = questions.filter(({ kind }) => kind !== 'noted').length;
  const differing = questions.filter(({ differs }) => differs).length;
  return (
    <Card title="The card in force">
      <Facts
        of={[
          ['Name', card ? (card.name ?? (differing === 0 ? 'default' : 'unnamed')) : '…'],
          ['Answers that differ from the default', card ? `${differing} of ${answerable}` : '…'],
          ['Scenarios that are always triggered', card ? (card.scenarios ?? []).join(', ') || 'none' : '…'],
        ]}
      />
      {card && (
        <details class="dialect-json">
          <summary>The card as JSON</summary>
          <JsonView value={card} name="the dialect card" />
        </details>
      )}
    </Card>
  );
}

/** What the API specification leaves open, and how this sandbox answers. */
export default function DialectPage() {
  const questions = useLive(call('GET', 'questions'));
  const card = useLive(call('GET', 'dialect'));
  const reload = () => void Promise.all([questions.reload(), card.reload()]);
  const error = questions.error ?? card.error;
  const all = questions.data?.questions ?? [];
  return (
    <>
      <PageHead
        title="Dialect"
        about="The API specification leaves questions open. Answer them here as the deployment does that you integrate with; bookings and tokens stay."
        actions={<CardActions card={card.data} reload={reload} />}
      />
      <div class="stack">
        {error && <Failure reason={error} retry={reload} />}
        <CardFacts card={card.data} questions={all} />
        {questions.data && <Questions all={all} />}
      </div>
      {card.data && <ApplyBar questions={all} card={card.data} reload={reload} />}
    </>
  );
}

/** What the address asks for: a text, a section of the API specification, and whether only what differs. */
function wanted() {
  const { query } = route.value;
  const [text, section] = [query.get('text') ?? '', query.get('section') ?? ''];
  return { text, section, differs: query.get('differs') === 'true' };
}

function Questions({ all }: { readonly all: readonly OpenQuestion[] }) {
  const { text, section, differs } = wanted();
  const isOther = (one: OpenQuestion) => one.differs === true || draft.value.has(one.id);
  const found = all.filter(
    (one) => matches(one, text) && (section === '' || one.source.section === section) && (!differs || isOther(one)),
  );
  return (
    <Card title="Open questions" about={`${found.length} of ${all.length}`}>
      <AsCurl of={call('GET', 'questions')} title="List the questions" />
      <Filters sections={sectionsOf(all)} />
      {found.length === 0 && (
        <Empty title="No question matches">
          {differs && !all.some(isOther) ? 'Every answer is the default.' : 'Search for less, or in all sections.'}
        </Empty>
      )}
      {sectionsOf(found).map((one) => (
        <section key={one} class="dialect-section" aria-label={one.replaceAll('`', '')}>
          <h3>
            <Prose text={one} />
          </h3>
          <ul>
            {found
              .filter(({ source }) => source.section === one)
              .map((question) => (
                <QuestionItem key={question.id} question={question} />
              ))}
          </ul>
        </section>
      ))}
    </Card>
  );
}

function sectionsOf(questions: readonly OpenQuestion[]): string[] {
  return [...new Set(questions.map(({ source }) => source.section))];
}

function Filters({ sections }: { readonly sections: readonly string[] }) {
  return (
    <div class="inline-form dialect-filters" role="search">
      <TextField label="Search" type="search" {...queryField('text')} placeholder="payment, 404, v5 …" />
      <SelectField
        label="Section of the API specification"
        {...queryField('section')}
        options={[['', 'All sections'], ...sections.map((one) => [one, one.replaceAll('`', '')] as const)]}
      />
      <CheckField
        label="Differs from the default"
        checked={wanted().differs}
        change={(on) => setQuery({ differs: on ? 'true' : '' })}
      />
    </div>
  );
}

/** Whether every word is somewhere in the texts of the question. */
function matches({ rules, ...question }: OpenQuestion, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  const said = JSON.stringify([question, rules.map(({ id }) => id)]).toLowerCase();
  return words.every((word) => said.includes(word));
}

interface ApplyBarProps {
  readonly questions: readonly OpenQuestion[];
  readonly card: CardBody;
  readonly reload: () => void;
}

function ApplyBar({ questions, card, reload }: ApplyBarProps) {
  const count = changes.value;
  const [failure, setFailure] = useState<string>();
  useEffect(() => setFailure(undefined), [draft.value]);
  if (count === 0) return null;
  const body = changedCard(card, questions);
  const apply = async () => {
    const reason = await putCard(body, count === 1 ? 'The answer is in force.' : 'The answers are in force.');
    setFailure(reason);
    if (reason === undefined) reload();
  };
  return (
    <div class="apply-bar" role="region" aria-label="Changes">
      {failure && <Failure reason={failure} />}
      <strong>{`${counted(count, 'answer')} changed`}</strong>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => void apply()}>
          Apply
        </button>
        <AsCurl of={dialectCall(body)} title="Apply the changes" />
        <button type="button" class="button" onClick={discard}>
          Discard
        </button>
      </div>
    </div>
  );
}
