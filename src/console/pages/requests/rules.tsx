import { type AdminType, call } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { GuideLink } from '../../parts/guide-link.js';
import { Failure } from '../../parts/page.js';
import { Prose } from '../../parts/prose.js';

type DecidingRule = AdminType<'Explanation'>['rules'][number];

const tones: Readonly<Record<DecidingRule['outcome'], Tone>> = {
  held: 'ok',
  refused: 'warn',
  chosen: 'info',
  failed: 'bad',
};

/** The rules that decided a response, with their source in the document. */
export function Rules({ id }: { readonly id: string }) {
  const { data, error } = useCall(call('GET', 'requests/{id}/explain', { path: { id } }));
  return (
    <section class="rules" aria-label="The rules that decided">
      <h3>Why this answer</h3>
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

function Rule({
  rule: { rule, words, basis, source, outcome, question, answer, scenario },
}: {
  readonly rule: DecidingRule;
}) {
  return (
    <li class={outcome}>
      <p>
        <Badge tone={tones[outcome]}>{outcome}</Badge> <code>{rule}</code>
        {basis && <span class="about">{` ${basis}`}</span>}
      </p>
      <p>
        <Prose text={words} />
      </p>
      {source && (
        <p class="about">
          Document: <Prose text={`${source.section}, ${source.item}`} />
        </p>
      )}
      {question && (
        <p class="about">
          The document leaves open: <Prose text={question.asks} /> The dialect answers{' '}
          <code>{JSON.stringify(answer)}</code> (<code>{question.id}</code>).{' '}
          <GuideLink page="operators">All open questions</GuideLink>
        </p>
      )}
      {scenario && (
        <p class="about">
          The scenario {scenario} struck. <GuideLink page="failures#scenarios">All scenarios</GuideLink>
        </p>
      )}
    </li>
  );
}
