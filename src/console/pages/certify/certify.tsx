import { useEffect, useState } from 'preact/hooks';
import { type AdminType, call, openAdmin } from '../../data/api.js';
import { consoleUrl, world } from '../../data/base.js';
import { followEvents } from '../../data/event-stream.js';
import { useCall } from '../../data/load.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { CodeBlock } from '../../parts/copy.js';
import { AsCurl } from '../../parts/curl.js';
import { Card, Empty, Facts, Failure, PageHead } from '../../parts/page.js';
import { Exams } from './exams.js';
import { SelectField } from '../../parts/field.js';
import { Prose } from '../../parts/prose.js';

/** How the client stands: how many obligations it met and broke, and how many nothing has shown yet. */
function Standing({ of }: { readonly of: AdminType<'CertificationProgress'> }) {
  const { counts, state, message, startedAt, exams, obligations } = of;
  const calls = exams.reduce((sum, exam) => sum + exam.calls, 0);
  const parts = [
    ['ok', counts.pass, 'met'],
    ['bad', counts.fail, 'broken'],
    ['neutral', counts['not-seen'], 'not seen'],
  ] as const;
  return (
    <Card title="So far" about={message ?? 'Press Ctrl-C in the terminal to end the exams and to get the verdict.'}>
      <div class="standing" aria-hidden="true">
        {parts.map(([tone, count]) => (
          <span key={tone} class={tone} style={{ flexGrow: count }} />
        ))}
      </div>
      <Facts
        of={[
          [
            'Obligations',
            parts.map(([tone, count, word]) => (
              <>
                <Badge tone={tone}>{`${count} ${word}`}</Badge>{' '}
              </>
            )),
          ],
          ['Seen', `${counts.pass + counts.fail} of ${obligations.length}`],
          ['Exams', `${exams.filter((exam) => exam.calls > 0).length} of ${exams.length} with calls`],
          ['Calls', calls],
          ['State', state],
          ['Started', startedAt],
        ]}
      />
    </Card>
  );
}

type ObligationRow = AdminType<'CertificationObligation'>;

const order = ['fail', 'not-seen', 'pass'] as const;
const words: Readonly<Record<ObligationRow['verdict'], readonly [Tone, string]>> = {
  fail: ['bad', 'broken'],
  'not-seen': ['neutral', 'not seen'],
  pass: ['ok', 'met'],
};

/** The obligations: the broken ones first, then those that nothing has shown yet. */
function Obligations({ of }: { readonly of: readonly ObligationRow[] }) {
  const [verdict, setVerdict] = useState('');
  const shown = order.flatMap((one) => of.filter((row) => row.verdict === one && (verdict === '' || verdict === one)));
  const options = order.map((one) => [one, words[one][1]] as const);
  return (
    <Card title="Obligations" about={`${shown.length} of ${of.length}.`}>
      <div class="filters">
        <SelectField label="Verdict" value={verdict} change={setVerdict} options={[['', 'all'], ...options]} />
      </div>
      {shown.length === 0 && <Empty title="No obligation has this verdict." />}
      <ul class="obligations">
        {shown.map((row) => (
          <Obligation key={row.id} of={row} />
        ))}
      </ul>
    </Card>
  );
}

function Obligation({ of }: { readonly of: ObligationRow }) {
  const { id, verdict, severity, statement, message, expected, toSee, exams } = of;
  const [tone, word] = words[verdict];
  return (
    <li>
      <p>
        <Badge tone={tone}>{word}</Badge> <strong>{id}</strong>{' '}
        <span class="about">{[severity, ...exams].join(', ')}</span>
      </p>
      <p>
        <Prose text={statement} />
      </p>
      {message && (
        <p class="happened">
          <Prose text={message} />
        </p>
      )}
      {expected && (
        <p class="about">
          Expected: <Prose text={expected} />
        </p>
      )}
      {toSee && (
        <p class="about">
          To see it: <Prose text={toSee} />
        </p>
      )}
    </li>
  );
}

/** The exams of a client while it takes them, at a server of `teebox certify --serve`. */
export default function Certification() {
  const { data, error, reload } = useCall(call('GET', 'version'));
  return (
    <>
      {error && <Failure reason={error} retry={reload} />}
      {data && (data.certifies ? <Live /> : <NotHere />)}
      {!data && <Head />}
    </>
  );
}

function Head({ live }: { readonly live?: boolean }) {
  return (
    <PageHead
      title="Certification"
      about="What a client shows in its exams: each is a sandbox in which something else goes wrong."
      actions={
        live !== undefined && (
          <>
            <Badge tone={live ? 'ok' : 'warn'}>{live ? 'live' : 'connecting'}</Badge>
            <AsCurl of={call('GET', 'certification')} title="The progress" />
          </>
        )
      }
    />
  );
}

function NotHere() {
  return (
    <>
      <Head />
      <div class="stack">
        <Card title="No client is certified here">
          <Empty title="Start a server that does">
            <p>It gives each exam an address, and shows here what your client does with it.</p>
          </Empty>
          <CodeBlock code="npx --no-install teebox certify --serve" name="the command" />
          <p class="about">With tests of your own, no server is needed:</p>
          <CodeBlock code="npx --no-install teebox certify -- npm test" name="the command for tests" />
          {world !== undefined && (
            <p>
              This is the world <code>{world}</code>. The progress of exams is{' '}
              <a href={`${consoleUrl()}#/certification`}>at the origin</a>.
            </p>
          )}
        </Card>
      </div>
    </>
  );
}

/** The progress, as the server sends it. */
function Live() {
  const [progress, setProgress] = useState<AdminType<'CertificationProgress'>>();
  const [live, setLive] = useState(false);
  useEffect(
    () =>
      followEvents((headers, aborted) => openAdmin('certification/events', headers, aborted), {
        opened: () => setLive(true),
        lost: () => setLive(false),
        event: ({ event: name, data }) => name === 'progress' && setProgress(JSON.parse(data)),
      }),
    [],
  );
  return (
    <>
      <Head live={live} />
      {progress && (
        <div class="stack">
          <Standing of={progress} />
          <Exams of={progress.exams} />
          <Obligations of={progress.obligations} />
        </div>
      )}
    </>
  );
}
