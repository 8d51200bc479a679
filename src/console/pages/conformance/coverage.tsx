import type { Report, RuleResult } from '../../../conformance/index.js';
import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Table } from '../../parts/table.js';
import { tones } from './summary.js';

const gravity = ['fail', 'error', 'warn'];

/** The gravest finding in an operation of a version. */
function worst({ rules }: Report, operation: string, version: string): RuleResult | undefined {
  const start = version === '*' ? operation : `${version}.${operation}`;
  const found = rules.filter(({ operations = [] }) =>
    operations.some((id) => id === start || id.startsWith(`${start}.`)),
  );
  return gravity.map((verdict) => found.find((rule) => rule.verdict === verdict)).find((rule) => rule);
}

/** The operations by version: rules judged of those that can be seen, and the gravest verdict. */
export function Coverage({ of }: { readonly of: Report }) {
  const { cells } = of.coverage;
  const versions = [...new Set(cells.map(({ version }) => version))].sort();
  const names = [...new Set(cells.map(({ operation }) => operation))];
  const columns = versions.map((version) => ({
    title: version === '*' ? 'any' : version,
    cell: (name: string) => {
      const cell = cells.find((one) => one.operation === name && one.version === version);
      if (!cell) return '';
      const verdict = worst(of, name, version)?.verdict ?? (cell.judged > 0 ? 'pass' : 'not judged');
      return (
        <>
          {cell.judged}/{cell.observable} <Badge tone={tones[verdict] ?? 'neutral'}>{verdict}</Badge>
        </>
      );
    },
  }));
  return (
    <Card title="Operations by version" about="Rules judged of those that can be seen, and the gravest verdict." flush>
      <Table
        label="Operations by version"
        columns={[{ title: 'Operation', cell: (name: string) => name }, ...columns]}
        rows={names}
        keyOf={(name) => name}
      />
    </Card>
  );
}
