import type { ComponentChildren } from 'preact';
import type { ReportModel } from '../../../conformance/index.js';
import { Badge } from '../../parts/badge.js';
import { Card, Facts } from '../../parts/page.js';
import { Findings } from './findings.js';
import { Sections } from './sections.js';
import { Words } from './words.js';

/** What is shown of a report, which is the same as in the report as HTML. */
export type ShownReport = Pick<
  ReportModel,
  'judged' | 'banner' | 'message' | 'exitCode' | 'counts' | 'before' | 'items' | 'causes' | 'shown'
> & { readonly sections: Pick<ReportModel['sections'], 'page'> };

/** A report: its verdict, its findings, and what comes with them. */
export function Report({
  of,
  page,
  facts,
  actions,
}: {
  readonly of: ShownReport;
  readonly page: string;
  readonly facts: Parameters<typeof Facts>[0]['of'];
  readonly actions?: ComponentChildren;
}) {
  const { banner, message, exitCode, counts, before, sections } = of;
  const tone = exitCode === 0 ? 'ok' : exitCode === 1 ? 'bad' : 'neutral';
  const counted = counts.filter(([, count]) => count > 0);
  return (
    <>
      <Card title={banner} about={message} actions={actions}>
        <Facts
          of={[
            ['Verdict', <Badge tone={tone}>{banner}</Badge>],
            ...facts,
            [
              of.judged === 'rule' ? 'Rules' : 'Obligations',
              <Words of={counted.map(([verdict, count]) => ({ verdict, count }))} />,
            ],
          ]}
        />
      </Card>
      <Sections of={before} />
      <Findings of={of} page={page} />
      <Sections of={sections.page} />
    </>
  );
}
