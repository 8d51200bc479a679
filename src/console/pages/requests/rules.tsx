import { type AdminType, call } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { guideAt } from '../../data/guides.js';
import { hrefOf } from '../../data/route.js';
import { Failure } from '../../parts/page.js';
import { Prose } from '../../parts/prose.js';

type DecidingRule = AdminType<'Explanation'>['rules'][number];

const tones: Readonly<Record<DecidingRule['outcome'], Tone>> = {
  held: 'ok',
  refused: 'warn',
  chosen: 'info',
  failed: 'bad',
};

/** Whether a rule ended the request. */
function isRefusing({ outcome }: DecidingRule): boolean {
  return outcome === 'refused' || outcome === 'failed';
}

/** The rules that decided a response, with their source in the API specification. The one that refused it is open. */
export function Rules({ id }: { readonly id: string }) {
  const { data, error } = useCall(call('GET', 'requests/{id}/explain', { path: { id } }));
  return (
    <section class="rules" aria-label="The rules that decided">
      <h3>
        Rules that decided <span class="about">{data && data.rules.length}</span>
      </h3>
      {error && <Failure reason={error} />}
      {data?.rules.length === 0 && <p class="about">No rule is known to have decided it.</p>}
      <ul>
        {data?.rules.map((rule, index) => (
          <Rule key={`${rule.rule} ${index}`} rule={rule} />
        ))}
      </ul>
    </section>
  );
}

function Rule({ rule }: { readonly rule: DecidingRule }) {
  const { words, source, outcome, question, answer, scenario } = rule;
  return (
    <li class={outcome}>
      <details open={isRefusing(rule)}>
        <summary>
          <Badge tone={tones[outcome]}>{outcome}</Badge>
          <code>{rule.rule}</code>
          <span class="about">{rule.basis}</span>
        </summary>
        <p>
          <Prose text={words} />
        </p>
        {source && (
          <p class="about">
            Specification: <Prose text={`${source.section}, ${source.item}`} />
          </p>
        )}
        {question && <Answered question={question} answer={answer} />}
        {scenario && (
          <p class="about">
            This request triggered the scenario {scenario}. <a href={guideAt('failures#scenarios')}>All scenarios</a>
          </p>
        )}
      </details>
    </li>
  );
}

function Answered({
  question,
  answer,
}: {
  readonly question: NonNullable<DecidingRule['question']>;
  readonly answer: unknown;
}) {
  return (
    <p class="about">
      The API specification leaves open: <Prose text={question.asks} />{' '}
      {answer === undefined ? (
        'The sandbox has one answer, which no dialect changes'
      ) : (
        <>
          The dialect answers <code>{JSON.stringify(answer)}</code>
        </>
      )}{' '}
      (<code>{question.id}</code>). <a href={hrefOf(['dialect'])}>All open questions</a>
    </p>
  );
}
