import { useEffect, useState } from 'preact/hooks';
import { type AdminType, call, openAdmin } from '../../data/api.js';
import { consoleUrl, world } from '../../data/base.js';
import { followEvents } from '../../data/event-stream.js';
import { useCall } from '../../data/load.js';
import { Badge } from '../../parts/badge.js';
import { CodeBlock } from '../../parts/copy.js';
import { AsCurl } from '../../parts/curl.js';
import { Card, Empty, Failure, PageHead } from '../../parts/page.js';
import { Exams } from './exams.js';
import { UtcTime } from '../../parts/time.js';
import { Report } from '../report/report.js';
import { progressReport } from './progress-report.js';

/** What has been seen of a client, in short. */
function factsOf({ counts, state, startedAt, exams, obligations }: AdminType<'CertificationProgress'>) {
  return [
    ['Seen', `${counts.pass + counts.fail} of ${obligations.length}`],
    ['Exams', `${exams.filter((exam) => exam.calls > 0).length} of ${exams.length} with calls`],
    ['Calls', exams.reduce((sum, exam) => sum + exam.calls, 0)],
    ['State', state],
    ['Started', <UtcTime at={startedAt} />],
  ] as const;
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
          <Report of={progressReport(progress)} page="certification" facts={factsOf(progress)}>
            <Exams of={progress.exams} />
          </Report>
        </div>
      )}
    </>
  );
}
