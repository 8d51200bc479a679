import { ArrowLeft } from 'lucide';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { call } from '../../data/api.js';
import { liveState } from '../../data/live.js';
import { useCall } from '../../data/load.js';
import { hrefOf, route } from '../../data/route.js';
import { Icon } from '../../parts/icon.js';
import { Empty, Failure, PageHead } from '../../parts/page.js';
import type { ListedScenario } from './catalogue.js';
import { ChaosPanel } from './chaos.js';
import { ScenarioList } from './list.js';
import { type Armed, useArmed } from './live.js';
import { PlansPanel } from './plans.js';
import { ScenarioDetail } from './scenario.js';

/** Every scenario with where it applies; what is armed, and chaos. */
export default function Scenarios() {
  const { data, error, reload } = useCall(call('GET', 'scenarios'));
  const armed = useArmed();
  const { rest, query } = route.value;
  const [id] = rest;
  const open = id ?? query.get('view') ?? '';
  const filter = query.get('filter') ?? '';
  const detail = useFocusOnOpen(open);
  return (
    <>
      <PageHead
        title="Scenarios"
        about="Failures on demand: arm one, send requests, and watch it trigger."
        actions={<LiveSign />}
      />
      {error && <Failure reason={error} retry={reload} />}
      {data && (
        <div class={open ? 'scenarios opened' : 'scenarios'}>
          <ScenarioList scenarios={data.scenarios} armed={armed} open={open} filter={filter} />
          <div class="scenario-detail" ref={detail} tabIndex={-1}>
            <a class="back" href={hrefOf(['scenarios'], { filter })}>
              <Icon of={ArrowLeft} size={14} /> All scenarios
            </a>
            {armed.error && <Failure reason={armed.error} retry={armed.reload} />}
            <Detail id={id} view={query.get('view')} scenarios={data.scenarios} armed={armed} />
          </div>
        </div>
      )}
    </>
  );
}

interface DetailProps {
  readonly id: string | undefined;
  readonly view: string | null;
  readonly scenarios: readonly ListedScenario[];
  readonly armed: Armed;
}

function Detail({ id, view, scenarios, armed }: DetailProps) {
  if (id === undefined) {
    if (view === 'chaos') return <ChaosPanel scenarios={scenarios} armed={armed} />;
    return <PlansPanel scenarios={scenarios} armed={armed} />;
  }
  const scenario = scenarios.find((one) => one.id === id);
  if (scenario) return <ScenarioDetail key={id} scenario={scenario} armed={armed} />;
  return <Empty title={`There is no scenario “${id}”.`}>Choose one from the list.</Empty>;
}

/** Whether the counters follow the requests. */
function LiveSign() {
  const state = liveState.value;
  const live = state === 'live';
  return (
    <span class="live-sign">
      <span class={live ? 'dot live' : 'dot lost'} aria-hidden="true" />
      {live ? 'Live' : state === 'lost' ? 'No connection' : 'Connecting…'}
    </span>
  );
}

/** Where list and details take turns, the one that was chosen from is gone, and the focus goes to the other. */
function useFocusOnOpen(open: string) {
  const detail = useRef<HTMLDivElement>(null);
  const before = useRef(open);
  useLayoutEffect(() => {
    if (before.current === open) return;
    const former = before.current;
    before.current = open;
    const narrow = getComputedStyle(detail.current!).getPropertyValue('--takes-turns').trim() === '1';
    if (!narrow) return;
    if (open) detail.current!.focus({ preventScroll: true });
    else document.getElementById(`scenario-link-${former}`)?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [open]);
  return detail;
}
