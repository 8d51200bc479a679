import { useEffect, useRef, useState } from 'preact/hooks';
import { route } from '../../data/route.js';
import { Badge } from '../../parts/badge.js';
import { Facts } from '../../parts/page.js';
import { AnswerForm } from './answer-form.js';
import { Marked } from './marked.js';
import { draft, type OpenQuestion, shownAnswer } from './draft.js';

/** A question with its answer; opened, it shows where it comes from and what each answer changes. */
export function QuestionItem({ question }: { readonly question: OpenQuestion }) {
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
              <Marked text={question.question} />
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
          ['The document is silent in', `${source.section}, ${source.item}`],
          ...(operations.length > 0 ? [['Operations', operations.join(', ')] as const] : []),
          ['How to find the answer of a deployment', <Marked text={probe} />],
        ]}
      />
      {rules.length > 0 && (
        <div>
          <p class="about">Rules that follow the answer</p>
          <ul class="question-rules">
            {rules.map(({ id, statement }) => (
              <li key={id}>
                <code>{id}</code> <Marked text={statement} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
