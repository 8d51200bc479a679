import type { ComponentChildren } from 'preact';
import { Card, Facts } from '../../parts/page.js';
import { Findings } from './findings.js';
import { Sections } from './sections.js';
import { type ShownReport, Words } from './words.js';

interface ReportProps {
  readonly of: ShownReport;
  readonly page: string;
  readonly facts: Parameters<typeof Facts>[0]['of'];
  readonly actions?: ComponentChildren;
  /** What comes before the findings. */
  readonly children?: ComponentChildren;
}

/** A report: its verdict, its findings, and what comes with them. */
export function Report({ of, page, facts, actions, children }: ReportProps) {
  const { banner, message, counts, before, sections } = of;
  const items = of.judged === 'rule' ? 'Rules' : 'Obligations';
  const counted = counts.filter(([, count]) => count > 0).map(([verdict, count]) => ({ verdict, count }));
  return (
    <>
      <Card title={banner} about={message} actions={actions}>
        <Facts of={counted.length === 0 ? facts : [...facts, [items, <Words of={counted} />]]} />
      </Card>
      {children}
      <Sections of={before} />
      <Findings of={of} page={page} />
      <Sections of={sections.page} />
    </>
  );
}
