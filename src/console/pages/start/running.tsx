import { baseUrl, world } from '../../data/base.js';
import { call } from '../../data/api.js';
import { sandboxClock } from '../../data/clock.js';
import { useCall } from '../../data/load.js';
import { Badge } from '../../parts/badge.js';
import { CopyCurl, CopyValue } from '../../parts/copy.js';
import { Card, Facts, Failure } from '../../parts/page.js';

/** Version, clock, dialect and size of the sandbox. */
export function Running() {
  const version = useCall(call('GET', 'version'));
  const dialect = useCall(call('GET', 'dialect'));
  const error = version.error ?? dialect.error;
  const answers = Object.keys(dialect.data?.answers ?? {}).length;
  const { facilities, seed, operations, rules, version: number } = version.data ?? {};
  return (
    <Card title="What runs here" actions={<CopyCurl of={call('GET', 'version')} />}>
      {error && <Failure reason={error} retry={() => [version, dialect].map((one) => one.reload())} />}
      <Facts
        of={[
          ['Base URL', <CopyValue value={baseUrl} name="the base URL" />],
          ['World', world ?? 'main'],
          ['Version', number ? `teebox ${number}` : '…'],
          ['Clock', <Clock />],
          [
            'Dialect',
            dialect.data ? `${dialect.data.name ?? (answers ? 'unnamed' : 'default')}${counted(answers)}` : '…',
          ],
          ['Contract', operations ? `${operations} operations, ${rules} rules` : '…'],
          ['Golf', facilities ? `${facilities} facilities, seed ${seed}` : '…'],
        ]}
      />
    </Card>
  );
}

function counted(answers: number): string {
  if (answers === 0) return '';
  return answers === 1 ? ', 1 answer' : `, ${answers} answers`;
}

function Clock() {
  const clock = sandboxClock.value;
  if (!clock) return <>…</>;
  const text = new Date(clock.now).toISOString();
  return (
    <>
      <time dateTime={text}>{`${text.slice(0, 10)} ${text.slice(11, 19)} UTC`}</time>{' '}
      <Badge tone={clock.mode === 'running' ? 'ok' : 'info'}>{clock.mode}</Badge>
    </>
  );
}
