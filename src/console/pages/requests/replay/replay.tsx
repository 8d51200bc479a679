import { ChevronLeft, ChevronRight, X } from 'lucide';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { counted } from '../../../../common/index.js';
import { reasonOf } from '../../../data/api.js';
import { useLoad } from '../../../data/load.js';
import { toast } from '../../../data/toasts.js';
import { Badge, MethodBadge, StatusBadge } from '../../../parts/badge.js';
import { FileButton } from '../../../parts/files.js';
import { Icon } from '../../../parts/icon.js';
import { Empty, Failure, PageHead } from '../../../parts/page.js';
import { utcWords } from '../../../parts/time.js';
import { Exchange } from '../exchange.js';
import type { CapsuleStep } from './capsule-cut.js';
import { openFile, opened, type OpenedFile } from './file.js';
import { CapsulePlayer, type Differences, type SheetPair } from './player.js';
import { SheetsOfStep } from './sheet-pair.js';

/** A capsule, a HAR or a report of `teebox check`, step by step. */
export default function Replay() {
  const file = opened.value;
  return (
    <>
      <PageHead
        title={file?.name ?? 'Replay'}
        about={
          file && !file.capsule
            ? 'It is read in this page; nothing is sent to the server.'
            : 'It is played in this page, in a sandbox of its own; nothing is sent to the server.'
        }
        actions={
          <>
            <FileButton label="Open another" accept=".json,.har" take={openFile} />
            <a class="button quiet" href="#/requests">
              <Icon of={X} size={14} /> Close
            </a>
          </>
        }
      />
      {file ? (
        <Steps key={file.name} file={file} />
      ) : (
        <Empty title="No file is open">
          Drop a capsule, a HAR or a JSON report of teebox check onto the page Requests, or open one.
        </Empty>
      )}
    </>
  );
}

function Steps({ file }: { readonly file: OpenedFile }) {
  const { steps, capsule } = file;
  const player = useMemo(() => capsule && new CapsulePlayer(capsule), [file]);
  const { data: differences, error } = useLoad(async () => (await player?.whole())?.differences, [player]);
  const [number, setNumber] = useState(1);
  const go = (to: number) => {
    const next = Math.min(Math.max(to, 1), steps.length);
    setNumber(next);
    document.getElementById(`step-${next}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    go(number + by);
  };
  if (error !== undefined) return <Failure reason={error} />;
  // Only what was played is known to be a capsule.
  if (player && !differences) return <p class="loading">Playing…</p>;
  if (steps.length === 0) return <Empty title="It has no steps" />;
  return (
    <div class="replay">
      <div class="stack">
        {differences && <Verdict steps={steps} differences={differences} written={capsule!.teebox} />}
        <ol class="steps" aria-label="Steps" onKeyDown={onKeyDown}>
          {steps.map((step, index) => (
            <li key={index}>
              <button
                type="button"
                id={`step-${index + 1}`}
                aria-current={index + 1 === number ? 'step' : undefined}
                tabIndex={index + 1 === number ? 0 : -1}
                onClick={() => setNumber(index + 1)}
              >
                <span class="number">{index + 1}</span>
                <StepLine step={step} />
                {differences?.some((one) => one.step === index + 1) && <Badge tone="bad">differs</Badge>}
              </button>
            </li>
          ))}
        </ol>
      </div>
      <section class="card step" aria-label={`Step ${number}`}>
        <header class="detail-head">
          <h2>{`Step ${number} of ${steps.length}`}</h2>
          <button type="button" class="button" disabled={number === 1} onClick={() => setNumber(number - 1)}>
            <Icon of={ChevronLeft} size={14} /> Back
          </button>
          <button type="button" class="button" disabled={number === steps.length} onClick={() => setNumber(number + 1)}>
            Next <Icon of={ChevronRight} size={14} />
          </button>
        </header>
        <div class="stack">
          <p class="request-line">
            <StepLine step={steps[number - 1]!} />
          </p>
          <Differing of={differences?.find((one) => one.step === number)?.differences ?? []} />
          {player ? (
            <StepSheets player={player} number={number} />
          ) : (
            <p class="about">Only a capsule has the state of the sandbox, and so its tee sheets.</p>
          )}
          <StepExchange step={steps[number - 1]!} />
        </div>
      </section>
    </div>
  );
}

interface VerdictProps {
  readonly steps: readonly CapsuleStep[];
  readonly differences: Differences;
  readonly written: string;
}

function Verdict({ steps, differences, written }: VerdictProps) {
  const requests = counted(steps.filter(({ kind }) => kind === 'request').length, 'request');
  const same = differences.length === 0;
  return (
    <p class={same ? 'sentence' : 'sentence bad'} role="status">
      <strong>{same ? 'The same' : 'Not the same'}:</strong>{' '}
      {same
        ? `${requests} with the same responses, byte for byte`
        : `${counted(differences.length, 'step')} of ${requests} differ; Teebox ${written} wrote it`}
    </p>
  );
}

function StepLine({ step }: { readonly step: CapsuleStep }) {
  if (step.kind === 'clock') return <span class="step-line">{`The clock is moved to ${utcWords(step.at, true)}`}</span>;
  if (step.kind === 'resume') return <span class="step-line">{`${step.of} goes on`}</span>;
  if (step.kind === 'admin') {
    return (
      <span class="step-line">
        <Badge tone="info">operator</Badge> <MethodBadge method={step.method!} /> <code>{step.path}</code>
      </span>
    );
  }
  const { pathname, search } = new URL(step.url!);
  return (
    <span class="step-line">
      <StatusBadge status={step.response?.status ?? 0} none="none" /> <MethodBadge method={step.method!} />{' '}
      <code>{pathname + search}</code>
    </span>
  );
}

function Differing({ of }: { readonly of: Differences[number]['differences'] }) {
  if (of.length === 0) return null;
  return (
    <section class="part" aria-label="Differences">
      <h3>Differs from what was recorded</h3>
      {of.map(({ where, expected, got }) => (
        <div key={where} class="difference">
          <code class="where">{where}</code>
          <code class="value">{JSON.stringify(expected) ?? 'nothing'}</code>
          <code class="value">{JSON.stringify(got) ?? 'nothing'}</code>
        </div>
      ))}
    </section>
  );
}

function StepSheets({ player, number }: { readonly player: CapsulePlayer; readonly number: number }) {
  const [shown, setShown] = useState<{ readonly number: number; readonly pair?: SheetPair | undefined }>();
  useEffect(() => {
    let current = true;
    player.sheets(number).then(
      (pair) => current && setShown({ number, pair }),
      (error) => current && toast(reasonOf(error), 'bad'),
    );
    return () => void (current = false);
  }, [player, number]);
  if (shown?.number !== number) return <p class="loading">Playing…</p>;
  if (!shown.pair) return <p class="about">This step is about no tee sheet.</p>;
  return <SheetsOfStep pair={shown.pair} />;
}

function StepExchange({ step }: { readonly step: CapsuleStep }) {
  if (step.kind === 'admin' && step.body !== undefined)
    return <Exchange view={{ request: { headers: {}, body: step.body } }} />;
  if (step.kind !== 'request') return null;
  const { headers = {}, json, text, response } = step;
  const body = json ?? text;
  const answered = response && {
    headers: response.headers,
    body: response.json ?? response.text,
    length: response.length ?? JSON.stringify(response.json ?? response.text ?? '').length,
  };
  return (
    <Exchange
      view={{ request: { headers, ...(body !== undefined && { body }) }, ...(answered && { response: answered }) }}
    />
  );
}
