import { capsuleTest, counted } from '../../../common/index.js';
import { type AdminType, call, perform } from '../../data/api.js';
import { baseUrl } from '../../data/base.js';
import { commandOf } from '../../data/client-request.js';
import type { RequestRow } from '../../data/request-log.js';
import { attempt, toast } from '../../data/toasts.js';
import { saveFile } from '../../parts/files.js';
import { parsed } from '../../parts/json-view.js';
import { Menu } from '../../parts/menu.js';
import { type CapsuleFile, cutCapsule, endOf } from './replay/capsule-cut.js';
import { resendOf, type Sender } from './resend.js';

type Har = AdminType<'Har'>;
type HarEntry = Har['log']['entries'][number];

interface ExportMenuProps {
  readonly rows: readonly RequestRow[];
  readonly what: string;
  readonly up?: boolean;
}

/** Saves requests: those that are chosen, or those that the filter shows. */
export function ExportMenu({ rows, what, up }: ExportMenuProps) {
  const save = (write: (rows: readonly RequestRow[]) => Promise<void>) => () => attempt(() => write(rows));
  return (
    <Menu
      label="Export"
      about={`Of ${what}`}
      {...(up && { up })}
      items={() => [
        { title: 'HAR', about: 'for developer tools, without secrets', act: save(saveHar) },
        {
          title: 'curl script',
          about: 'sends them again, with the passwords of the sandbox',
          act: save(saveScript),
        },
        {
          title: 'Capsule',
          about: 'with all that came before them, without secrets; teebox replay plays it',
          act: save(saveCapsule),
        },
        { title: 'Vitest file', about: 'a test that plays the capsule', act: save(saveTest) },
      ]}
    />
  );
}

const idsOf = (rows: readonly RequestRow[]): ReadonlySet<string> => new Set(rows.map(({ id }) => id));

/** @throws {Error} if the journal has none of them. */
async function harOf(rows: readonly RequestRow[]): Promise<Har> {
  const { log } = (await perform(call('GET', 'requests', { query: { format: 'har' } }))) as Har;
  const ids = idsOf(rows);
  const entries = log.entries.filter(({ _id }) => ids.has(_id));
  if (entries.length === 0) throw new Error('None of these requests is in the journal, which keeps the last thousand.');
  if (entries.length < rows.length) toast(`${rows.length - entries.length} are open or no longer in the journal.`);
  return { log: { ...log, entries } };
}

async function saveHar(rows: readonly RequestRow[]): Promise<void> {
  saveFile('teebox.har', JSON.stringify(await harOf(rows), null, 2));
}

async function saveScript(rows: readonly RequestRow[]): Promise<void> {
  const [{ log }, { channels }] = await Promise.all([harOf(rows), perform(call('GET', 'channels'))]);
  const paths = new Map(rows.map(({ id, path }) => [id, path]));
  const parts = log.entries.map((entry) => scriptPart(entry, paths, channels));
  const head = `#!/bin/sh\n# ${counted(parts.length, 'request')} to ${baseUrl}, oldest first.\n`;
  saveFile('teebox-requests.sh', [head, ...parts].join('\n'), 'text/x-shellscript');
}

function scriptPart(
  { _id, _channel, request, response }: HarEntry,
  paths: ReadonlyMap<string, string>,
  channels: readonly Sender[],
): string {
  const headers = Object.fromEntries(request.headers.map(({ name, value }) => [name, value]));
  const text = request.postData?.text;
  const body = text === undefined ? {} : { body: parsed(text) };
  const again = resendOf(
    { method: request.method, path: paths.get(_id)!, request: { headers, ...body }, channel: _channel },
    channels,
  );
  const fate = response.status === 0 ? 'got no response' : `was answered with ${response.status}`;
  return `# ${_id} ${fate}\n${commandOf(again)}\necho\n`;
}

/** @throws {Error} if the capsule has none of them. */
async function capsuleOf(rows: readonly RequestRow[]): Promise<CapsuleFile> {
  const capsule = await perform(call('GET', 'capsule'));
  const end = endOf(capsule, idsOf(rows));
  if (end === 0) throw new Error('These requests are older than the capsule, which has the last thousand at most.');
  return cutCapsule(capsule, end);
}

const CAPSULE = 'teebox-capsule.json';

async function saveCapsule(rows: readonly RequestRow[]): Promise<void> {
  saveFile(CAPSULE, JSON.stringify(await capsuleOf(rows)));
}

async function saveTest(rows: readonly RequestRow[]): Promise<void> {
  const capsule = await capsuleOf(rows);
  const [row] = rows;
  const { id, method, path, status } = row!;
  const sent = capsule.steps.filter(({ kind }) => kind === 'request').length;
  const one = rows.length === 1;
  const title = one ? `${id} ${method} ${path.split('?')[0]}: ${status || 'no response'}` : counted(sent, 'request');
  const name = one ? id : 'teebox-requests';
  saveFile(`${name}.test.ts`, capsuleTest(title, 'the console', { capsule }), 'text/typescript');
}
