import { isTexts, type ReportPage, type Text } from '../../../conformance/index.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { Prose } from '../../parts/prose.js';

/** What is shown of a report, which is the same as in the report as HTML. */
export type ShownReport = Omit<ReportPage, 'verdict' | 'exitCode' | 'startedAt' | 'summary'>;

const tones: Readonly<Record<string, Tone>> = { pass: 'ok', fail: 'bad', warn: 'warn', error: 'bad', observed: 'info' };

interface VerdictBadgeProps {
  readonly of: string;
  readonly word?: string | undefined;
  readonly count?: number | undefined;
}

/** A verdict in its colour, with how often it came. */
export function VerdictBadge({ of, word = of, count }: VerdictBadgeProps) {
  return <Badge tone={tones[of] ?? 'neutral'}>{count === undefined ? word : `${count} ${word}`}</Badge>;
}

/** A text of a report with its marks. */
export function Words({ of }: { readonly of: Text }) {
  if (typeof of !== 'object') return <>{of}</>;
  if (isTexts(of))
    return (
      <>
        {of.map((one) => (
          <Words of={one} />
        ))}
      </>
    );
  if ('code' in of) return <code>{of.code}</code>;
  if ('prose' in of) return <Prose text={of.prose} />;
  if ('strong' in of) return <strong>{of.strong}</strong>;
  if ('emphasis' in of) return <em>{of.emphasis}</em>;
  if ('own' in of) return <>{of.own}</>;
  return (
    <>
      <VerdictBadge of={of.verdict} word={of.word} count={of.count} />{' '}
    </>
  );
}
