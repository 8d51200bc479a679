import { useState } from 'preact/hooks';
import type { Exchange, Report, RuleResult } from '../../../conformance/index.js';
import { Badge, MethodBadge, StatusBadge } from '../../parts/badge.js';
import { SelectField, TextField } from '../../parts/field.js';
import { JsonView, parsed } from '../../parts/json-view.js';
import { Card, Empty, Facts } from '../../parts/page.js';
import type { OpenedReport } from './report-file.js';
import { tones } from './summary.js';

const ATTENTION = 'fail, warn, error';
const MOST = 200;

/** The rules with a verdict and a text, those that need attention in the order of the report. */
function rulesOf({ rules, findings }: Report, verdict: string, text: string): readonly RuleResult[] {
  const order = findings.flatMap((group) => group.rules);
  const rank = ({ id }: RuleResult): number => (order.indexOf(id) + 1 || order.length + 1) - 1;
  const words = text.toLowerCase();
  return rules
    .filter((rule) => verdict === '' || verdict.includes(rule.verdict))
    .filter((rule) => [rule.id, rule.message, rule.statement, rule.operations].join(' ').toLowerCase().includes(words))
    .sort((a, b) => rank(a) - rank(b));
}

/** The rules of a report: what each expected, what came, and the exchanges that show it. */
export function Findings({ of }: { readonly of: OpenedReport['report'] }) {
  const [verdict, setVerdict] = useState(ATTENTION);
  const [text, setText] = useState('');
  const rules = rulesOf(of, verdict, text);
  const verdicts = Object.entries(of.counts).map(([name, count]) => [name, `${name} (${count})`] as const);
  return (
    <Card title="Findings" about={`${rules.length} of ${of.rules.length} rules.`}>
      <div class="filters">
        <SelectField
          label="Verdict"
          value={verdict}
          change={setVerdict}
          options={[[ATTENTION, 'needs attention'], ...verdicts, ['', 'all']]}
        />
        <TextField label="Text" type="search" value={text} change={setText} />
      </div>
      {rules.length === 0 && <Empty title="No rule has this verdict." />}
      {rules.slice(0, MOST).map((rule) => (
        <Finding key={rule.id} of={rule} exchanges={of.exchanges ?? []} />
      ))}
    </Card>
  );
}

function Finding({ of: rule, exchanges }: { readonly of: RuleResult; readonly exchanges: readonly Exchange[] }) {
  const { id, verdict, severity, basis, source, statement, message, missing, operations = [] } = rule;
  const shown = exchanges.filter((one) => rule.exchanges.includes(one.id) || one.id === rule.shownBy);
  return (
    <details class="finding">
      <summary>
        <Badge tone={tones[verdict] ?? 'neutral'}>{verdict}</Badge> <strong>{id}</strong> {message ?? statement}
      </summary>
      <Facts
        of={[
          ['Rule', statement],
          ['Specification', `${source.section}, ${source.item}`],
          ['Weight', `${basis}, ${severity}`],
          ...(operations.length > 0 ? [['Operations', operations.join(', ')] as const] : []),
          ...(missing ? [['Missing', missing] as const] : []),
        ]}
      />
      {rule.expected !== undefined && <Value title="Expected" of={rule.expected} />}
      {rule.actual !== undefined && <Value title="Actual" of={rule.actual} />}
      {shown.map((one) => (
        <Shown key={one.id} of={one} />
      ))}
    </details>
  );
}

function Value({ title, of }: { readonly title: string; readonly of: unknown }) {
  return (
    <>
      <p class="hint">{title}</p>
      <JsonView value={of} name={title} />
    </>
  );
}

function Shown({ of: { id, request, response, failure } }: { readonly of: Exchange }) {
  return (
    <details>
      <summary>
        {id} <MethodBadge method={request.method} /> {request.url}{' '}
        <StatusBadge status={response?.status ?? 0} none={failure ?? 'no response'} />
      </summary>
      {request.body && <Value title="Request" of={parsed(request.body)} />}
      {response && <Value title="Response" of={parsed(response.body)} />}
    </details>
  );
}
