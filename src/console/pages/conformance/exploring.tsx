import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { type Exploration, type ExploreOptions, type Progress, walkSection } from '../../../conformance/index.js';
import { counted } from '../../../common/index.js';
import { call, perform } from '../../data/api.js';
import { baseUrl } from '../../data/base.js';
import { attempt } from '../../data/toasts.js';
import { TextField } from '../../parts/field.js';
import { Card } from '../../parts/page.js';
import { Sections } from '../report/sections.js';
import { openReport } from './report-file.js';

/** The address of `explorer.js` of the package. */
declare const TEEBOX_EXPLORER: string;

/** The run of this page; it goes on while other pages are shown. */
interface Run {
  readonly walks: number;
  readonly end: AbortController;
  readonly progress?: Progress;
}

const current = signal<Run | undefined>(undefined);

/** Explores this world, and opens the report. */
async function explore(walks: number): Promise<void> {
  const run: Run = { walks, end: new AbortController() };
  current.value = run;
  await attempt(async () => {
    await perform(call('PUT', 'snapshots/{name}', { path: { name: 'before-explore' } }));
    const onProgress = (progress: Progress) => (current.value = { ...run, progress });
    const report = await explored({ walks, onProgress, signal: run.end.signal });
    openReport(`explore-${report.seed}.json`, JSON.stringify(report));
  });
  current.value = undefined;
}

async function explored(options: Partial<ExploreOptions>): Promise<Exploration> {
  const [{ channels }, { now }] = await Promise.all([perform(call('GET', 'channels')), perform(call('GET', 'clock'))]);
  const [first, second] = channels.map(({ username, password }) => ({ basic: { username, password } }));
  // The time of the world, but never frozen: the run waits by it.
  const ahead = Date.parse(now) - Date.now();
  const loaded = import(TEEBOX_EXPLORER) as Promise<{
    explore(send: typeof fetch, options: object): Promise<Exploration>;
  }>;
  const { explore: run } = await loaded.catch(() => {
    throw new Error(`This server cannot explore. Use teebox explore ${baseUrl}`);
  });
  return run((request) => fetch(request), {
    ...options,
    baseUrl,
    now: () => Date.now() + ahead,
    // A frozen world is explored by the same walks again.
    seed: Date.parse(now),
    first,
    second,
    allow: ['bookings', 'payments'],
    // A sandbox shows a write at once.
    settle: 0,
  });
}

/** Starts `teebox explore` in this page, and shows its walks. */
export function Exploring() {
  const [walks, setWalks] = useState('10');
  const { progress, end, walks: all = Number(walks) } = current.value ?? {};
  const start = (event: Event) => {
    event.preventDefault();
    void explore(all);
  };
  return (
    <>
      <Card
        title="Explore this world"
        about="Random walks of bookings, payments and reads, each step compared with a model. The snapshot before-explore keeps the world as it was."
      >
        {end ? (
          <div class="actions">
            <progress max={all} value={progress?.walks ?? 0} aria-label="Walks" />
            <button type="button" class="button" onClick={() => end.abort()}>
              Stop
            </button>
          </div>
        ) : (
          <form class="inline-form" onSubmit={start}>
            <TextField label="Walks" type="number" value={walks} change={setWalks} required />
            <button type="submit" class="button primary">
              Explore
            </button>
          </form>
        )}
      </Card>
      {progress && <Sections of={[lastWalk(progress)]} />}
    </>
  );
}

/** How far the run has come, with the walk that it took last. */
function lastWalk({ walks, steps, requests, found, timeline }: Progress) {
  const figures = `${counted(walks, 'walk')}, ${counted(steps, 'step')}, ${counted(requests, 'request')}.`;
  const contradiction = found === undefined ? '' : ` This walk is being made smaller: ${found}`;
  return walkSection('The last walk', timeline, [{ prose: figures + contradiction }]);
}
