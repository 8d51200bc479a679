import { useId } from 'preact/hooks';
import { Badge } from '../../parts/badge.js';
import { CheckField, SelectField, TextField } from '../../parts/field.js';
import { Prose } from '../../parts/prose.js';
import { change, draft, type GivenAnswer, isByVersion, type OneAnswer, type OpenQuestion } from './draft.js';

/** The form that fits the kind of question. */
export function AnswerForm({ question }: { readonly question: OpenQuestion }) {
  const answer = draft.value.get(question.id) ?? question.answer;
  if (answer === undefined) return null;
  const set = (next: GivenAnswer) => change(question, next);
  if (isByVersion(answer)) return <ByVersion question={question} answer={answer} set={set} />;
  if (question.options) return <Options question={question} answer={answer} set={set} />;
  if (Array.isArray(answer)) return <Members question={question} answer={answer} set={set} />;
  return <Typed question={question} answer={answer} set={set} />;
}

interface AnswerProps<Shown, Chosen> {
  readonly question: OpenQuestion;
  readonly answer: Shown;
  readonly set: (next: Chosen) => void;
}

function Options({ question, answer, set }: AnswerProps<OneAnswer | undefined, OneAnswer>) {
  const name = useId();
  return (
    <fieldset class="answer-options">
      <legend class="unseen">
        <Prose text={question.question} />
      </legend>
      {question.options!.map(({ value, means }) => (
        <label key={value} class="answer-option">
          <input type="radio" name={name} checked={value === answer} onChange={() => set(value)} />
          <span>
            <code>{String(value)}</code> <Prose text={means} /> {value === question.default && <Badge>default</Badge>}{' '}
            {value === question.answer && <Badge tone="ok">in force</Badge>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** One answer for all versions, or one for each. */
function ByVersion({ question, answer, set }: AnswerProps<Readonly<Record<string, OneAnswer>>, GivenAnswer>) {
  const versions = question.versions ?? [];
  const values = new Set(Object.values(answer));
  const common = values.size === 1 ? [...values][0] : undefined;
  const options = question.options!.map(({ value }) => [String(value), String(value)] as const);
  const valueOf = (text: string) => question.options!.find(({ value }) => String(value) === text)!.value;
  const inForce = question.answer as Readonly<Record<string, OneAnswer>>;
  const all = new Set(Object.values(inForce)).size === 1 ? Object.values(inForce)[0] : undefined;
  return (
    <>
      <Options
        question={{ ...question, ...(all === undefined ? { answer: [] } : { answer: all }) }}
        answer={common}
        set={(value) => set(Object.fromEntries(versions.map((version) => [version, value])))}
      />
      <div class="inline-form answer-versions" role="group" aria-label="Answers by version">
        {versions.map((version) => (
          <SelectField
            key={version}
            label={`In ${version}`}
            value={String(answer[version])}
            change={(text) => set({ ...answer, [version]: valueOf(text) })}
            options={options}
          />
        ))}
      </div>
    </>
  );
}

function Members({ question, answer, set }: AnswerProps<readonly string[], string[]>) {
  const { values = [] } = question;
  return (
    <div class="inline-form" role="group" aria-label={question.question}>
      {values.map((value) => (
        <CheckField
          key={value}
          label={value}
          checked={answer.includes(value)}
          change={(on) => set(values.filter((one) => (one === value ? on : answer.includes(one))))}
        />
      ))}
      <span class="about">Default: {String(question.default)}</span>
    </div>
  );
}

function Typed({ question, answer, set }: AnswerProps<OneAnswer, OneAnswer>) {
  const { kind, min, max } = question;
  const isNumber = kind === 'integer';
  return (
    <div class="inline-form">
      <TextField
        label={isNumber ? `A whole number from ${min} to ${max}` : 'The name of a header'}
        type={isNumber ? 'number' : 'text'}
        value={String(answer)}
        change={(text) => text !== '' && set(isNumber ? Number(text) : text)}
        hint={`Default: ${String(question.default)}. In force: ${String(question.answer)}.`}
      />
    </div>
  );
}
