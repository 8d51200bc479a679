import { counted } from '../../../common/index.js';
import { DAY } from '../../client/day.js';
import type { Run } from '../../client/session.js';
import type { RuleResult } from '../../client/types.js';
import type { Slowdown } from '../../client/wire/pace.js';
import type { Setback } from '../../client/wire/read-ahead.js';
import { grouped } from '../../facts/facts.js';
import { PARALLEL } from '../check-options.js';

/** What a report says of the run itself, and what to do about it. */
export function hintsOf(
  { transport, host, recorded }: Run,
  rules: readonly RuleResult[],
  parallel = PARALLEL,
): readonly string[] {
  const { setback, clock } = transport;
  return [
    ...(clock ? [clockText(clock.ahead, host.now(), shownBy[clock.shownBy])] : []),
    ...(recorded ? [] : leftOut(rules, parallel)),
    ...slowedText(transport.slowdown),
    ...(setback === undefined ? [] : [`${setbacks[setback]} ${GOES_ON}`]),
  ];
}

/** What a run without enough time or requests has left out, and what would give it more. */
function leftOut(rules: readonly RuleResult[], parallel: number): readonly string[] {
  return limits(parallel).flatMap(({ isCut, what, advice }) => {
    const cut = rules.filter(isCut);
    const most = `${cut.length} of ${counted(rules.length, 'rule')}`;
    return cut.length === 0 ? [] : [`${what(most)}: ${groupsOf(cut)}. ${advice}`];
  });
}

interface Limit {
  readonly isCut: (rule: RuleResult) => boolean;
  readonly what: (cut: string) => string;
  readonly advice: string;
}

const limits = (parallel: number): readonly Limit[] => [
  {
    isCut: ({ reason }) => reason === 'deadline',
    what: (cut) => `The time of the run ended before ${cut} were evaluated`,
    advice: `Set a longer --deadline, or permit more reads at a time than ${parallel} (--parallel).`,
  },
  {
    isCut: ({ reason, missing = '' }) => reason === 'budget' && missing.includes('--max-requests'),
    what: (cut) => `The limit of requests ended the run before ${cut} were evaluated`,
    advice: 'Set a higher --max-requests; --plan says how many a run sends.',
  },
  {
    isCut: ({ reason, missing = '' }) => reason === 'network' && /none within \d/.test(missing),
    what: (cut) => `${cut} lack an answer that did not come in time`,
    advice: 'If the deployment is slow, set a longer --timeout; if several reads at a time make it slow, --parallel 1.',
  },
  {
    isCut: ({ reason }) => reason === 'rate-limited',
    what: (cut) => `${cut} lack an answer, because the deployment limits the rate`,
    advice: 'Set a slower pace with --rps.',
  },
];

const MOST_GROUPS = 6;

/** Rules by what they are about, with the most first. */
function groupsOf(rules: readonly RuleResult[]): string {
  const groups = [...grouped(rules, ({ id }) => id.split('.', 1)[0]!)]
    .map(([name, all]) => [name, all.length] as const)
    .sort(([, a], [, b]) => b - a);
  const more = groups.length - MOST_GROUPS;
  const shown = groups.slice(0, MOST_GROUPS).map(([name, count]) => `${count} about ${name}`);
  return [...shown, ...(more > 0 ? [`${counted(more, 'more group')}`] : [])].join(', ');
}

const shownBy = { date: 'its Date header shows', bookings: 'its newest booking shows' } as const;

const YEAR = 365.25;

function clockText(ahead: number, now: number, evidence: string): string {
  const at = new Date(now + ahead).toISOString().slice(0, 16).replace('T', ' ');
  const days = Math.round(Math.abs(ahead) / DAY);
  const far = days >= 2 * YEAR ? counted(Math.round(days / YEAR), 'year') : counted(days, 'day');
  const where = `${far} ${ahead > 0 ? 'ahead of' : 'behind'} the clock of this machine`;
  return `The clock of the deployment is at about ${at} UTC, ${where}, as ${evidence}. The run chose its days by the clock of the deployment; set that one right unless it is meant to differ.`;
}

/** Milliseconds of waiting that are not worth a word. */
const SHORT_WAIT = 5000;

/** For how long the deployment kept the run from sending, and by what. */
function slowedText({ milliseconds, limited, failed }: Slowdown): readonly string[] {
  if (milliseconds < SHORT_WAIT) return [];
  const causes = [
    ...(limited > 0 ? [`it limited the rate of ${counted(limited, 'request')} (429)`] : []),
    ...(failed > 0 ? [`${counted(failed, 'request')} found it away (502, 503, 504 or no answer)`] : []),
  ];
  const seconds = counted(Math.round(milliseconds / 1000), 'second');
  const advice = limited > 0 ? ' Set a pace that it permits with --rps.' : '';
  return [`The deployment slowed the run down by ${seconds}: ${causes.join(', and ')}.${advice}`];
}

const setbacks: Readonly<Record<Setback, string>> = {
  limited: 'The deployment limited the rate (429) while several reads were under way.',
  network: 'A read failed while several were under way.',
};

const GOES_ON = 'The run went on with one request at a time, as with --parallel 1; --rps sets a slower pace.';
