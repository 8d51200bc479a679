import { type AdminCommand, curlOf } from '../../data/api.js';
import { CodeCard, commandLine, typescript } from './code-card.js';
import type { PlanBody } from './plan-form.js';
import { armArguments, planOnly, scenarioText } from './spelling.js';

/** The chosen plan in other words: a command, a header, and code. */
export function Elsewhere({ plan, command }: { readonly plan: PlanBody; readonly command: AdminCommand<unknown> }) {
  const text = scenarioText(plan);
  const only = planOnly(plan);
  const given = armArguments(plan);
  const without = only.length > 0 && (
    <p class="hint">
      Only a plan can have <code>{only.join(', ')}</code>.
    </p>
  );
  const header = commandLine(
    'the header',
    `Teebox-Scenario: ${text}`,
    'It strikes the request that carries the header.',
  );
  const serve = commandLine(
    'the command line',
    `teebox serve --scenario '${text}'`,
    'The server strikes every request that fits, from its start on.',
  );
  return (
    <CodeCard
      tabs={[
        ['curl', commandLine('the curl command', curlOf(command))],
        ['Header', header, without],
        ['TypeScript', typescript(`sandbox.scenarios.arm(${given});`, `arm(${given})`)],
        ['Command line', serve, without],
      ]}
    />
  );
}
