import { useEffect, useState } from 'preact/hooks';
import { call } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import { route, setQuery } from '../../data/route.js';
import { CopyCurl } from '../../parts/copy.js';
import { CheckField, SelectField, TextField } from '../../parts/field.js';
import { Card, Empty, Failure, PageHead } from '../../parts/page.js';
import { CardActions, CardFacts } from './card.js';
import {
  type CardBody,
  changedCard,
  changes,
  dialectCall,
  discard,
  draft,
  type OpenQuestion,
  putCard,
} from './draft.js';
import { QuestionItem } from './question.js';

/** What the document leaves open, and how this sandbox answers. */
export default function DialectPage() {
  const questions = useCall(call('GET', 'questions'));
  const card = useCall(call('GET', 'dialect'));
  const reload = () => void Promise.all([questions.reload(), card.reload()]);
  useEffect(() => discard, []);
  const error = questions.error ?? card.error;
  const all = questions.data?.questions ?? [];
  return (
    <>
      <PageHead
        title="Dialect"
        about="The document leaves questions open. Answer them here as the deployment does that you integrate with; bookings and tokens stay."
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

/** What the address asks for: a text, a section of the document, and whether only what differs. */
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
    <Card
      title="Open questions"
      about={`${found.length} of ${all.length}`}
      actions={<CopyCurl of={call('GET', 'questions')} />}
    >
      <Filters sections={sectionsOf(all)} />
      {found.length === 0 && (
        <Empty title="No question matches">
          {differs && !all.some(isOther) ? 'Every answer is the default.' : 'Search for less, or in all sections.'}
        </Empty>
      )}
      {sectionsOf(found).map((one) => (
        <section key={one} class="dialect-section" aria-label={one}>
          <h3>{one}</h3>
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
  const { text, section, differs } = wanted();
  return (
    <div class="inline-form dialect-filters" role="search">
      <TextField
        label="Search"
        type="search"
        value={text}
        change={(next) => setQuery({ text: next })}
        placeholder="payment, 404, v5 …"
      />
      <SelectField
        label="Section of the document"
        value={section}
        change={(next) => setQuery({ section: next })}
        options={[['', 'All sections'], ...sections.map((one) => [one, one] as const)]}
      />
      <CheckField
        label="Differs from the default"
        checked={differs}
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

function ApplyBar({
  questions,
  card,
  reload,
}: {
  readonly questions: readonly OpenQuestion[];
  readonly card: CardBody;
  readonly reload: () => void;
}) {
  const count = changes.value;
  const [failure, setFailure] = useState<string>();
  useEffect(() => setFailure(undefined), [draft.value]);
  if (count === 0) return null;
  const body = changedCard(card, questions);
  const words = count === 1 ? '1 answer changed' : `${count} answers changed`;
  const apply = async () => {
    const reason = await putCard(body, count === 1 ? 'The answer is in force.' : 'The answers are in force.');
    setFailure(reason);
    if (reason === undefined) reload();
  };
  return (
    <div class="apply-bar" role="region" aria-label="Changes">
      {failure && <Failure reason={failure} />}
      <strong>{words}</strong>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => void apply()}>
          Apply
        </button>
        <CopyCurl of={dialectCall(body)} />
        <button type="button" class="button" onClick={discard}>
          Discard
        </button>
      </div>
    </div>
  );
}
