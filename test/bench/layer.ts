import { CapsuleRecorder } from '../../src/engine/record/capsule-recorder.js';
import { SandboxState } from '../../src/engine/state/sandbox-state.js';
import { openRequest, type RequestServices, record } from '../../src/engine/api/request-context.js';
import { Journal } from '../../src/engine/record/journal.js';
import { attachScenarios } from '../../src/engine/api/answer.js';
import { operations } from '../../src/contract/generated/operations.js';
import { createSandbox } from '../../src/engine/library.js';
import { Scenarios } from '../../src/engine/scenarios/scenarios.js';
import { NOW } from './children.js';
import { median, type Section } from './report.js';
import { authorization } from './requests.js';

const CALLS = 20_000;
const ROUNDS = 15;

/** A small request, as the server hands it on: with the headers that Node has read. */
const headers: Record<string, string> = { host: '127.0.0.1', authorization, accept: '*/*', 'user-agent': 'bench' };
const request = new Request('http://127.0.0.1/api/v3/countries', { headers });
const hints = { header: (name: string) => headers[name], headers, elapsed: () => performance.now() };
const incoming = { request, path: {}, hints };

/** Microseconds of one call, the median over rounds. */
function time(work: () => unknown): number {
  const rounds: number[] = [];
  for (let round = -3; round < ROUNDS; round += 1) {
    const start = performance.now();
    for (let call = 0; call < CALLS; call += 1) work();
    if (round >= 0) rounds.push(((performance.now() - start) * 1000) / CALLS);
  }
  return median(rounds);
}

/** What the journal and the scenarios cost a request when nothing is armed, beside the whole of a small one. */
export async function measureLayer(): Promise<Section> {
  const sandbox = await createSandbox({ now: NOW });
  const now = () => 0;
  let id = 0;
  const pipeline = {
    engine: { now },
    journal: new Journal(),
    scenarios: new Scenarios({
      seed: 1,
      now,
      channels: [],
      hasFacility: () => false,
      facilityScenario: () => undefined,
    }),
    nextRequestId: () => `req-${++id}`,
  } as unknown as RequestServices;
  const operation = operations.find((one) => one.id === 'v3.listCountries')!;
  const outcome = { status: 200, rule: operation.rule, detail: undefined, headers, body: new Uint8Array(200) };
  const layerOf = (used: RequestServices) =>
    time(() => {
      const context = openRequest(used, operation, incoming);
      attachScenarios(used, context, operation);
      record(used, context, outcome);
    });
  const layer = layerOf(pipeline);
  const state = await SandboxState.create({ now: NOW }, () => {});
  const recording = new CapsuleRecorder(() => state.savePoint(), state.clock.now);
  recording.begin(true);
  const recorded = layerOf({ ...pipeline, recording });
  const whole = time(() => sandbox.handle(request, hints));
  return {
    title: 'Scenarios and journal, with nothing armed: microseconds of a small request in process',
    rows: [
      {
        'scenarios and journal': layer.toFixed(2),
        'recording for capsules': (recorded - layer).toFixed(2),
        'whole request': whole.toFixed(2),
        ratio: (recorded / whole).toFixed(3),
        'ratio of recording': ((recorded - layer) / whole).toFixed(3),
      },
    ],
    note: 'The number and the reading of its headers, which a request has anyway, are among the former.',
  };
}
