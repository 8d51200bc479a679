import { useState } from 'preact/hooks';
import { capsuleTest, counted } from '../../../common/index.js';
import { type AdminType, call, perform } from '../../data/api.js';
import { baseUrl } from '../../data/base.js';
import { commandOf } from '../../data/client-request.js';
import { useLoad } from '../../data/load.js';
import type { RequestRow } from '../../data/request-log.js';
import { attempt, toast } from '../../data/toasts.js';
import { Dialog } from '../../parts/dialog.js';
import { saveFile } from '../../parts/files.js';
import { parsed } from '../../parts/json-view.js';
import { Menu } from '../../parts/menu.js';
import { type CapsuleFile, cutCapsule, endOf } from './replay/capsule-cut.js';
import { loadPlayer } from './replay/load-player.js';
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
  const [large, setLarge] = useState<SavedFile>();
  const save = (write: (rows: readonly RequestRow[]) => Promise<SavedFile>) => () =>
    attempt(async () => {
      const file = await write(rows);
      if (file.capsule && file.content.length > MOST) setLarge(file);
      else saveFile(file.name, file.content, file.type);
    });
  return (
    <>
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
          { title: 'Capsule', about: <CapsuleSize rows={rows} />, act: save(saveCapsule) },
          { title: 'Vitest file', about: 'a test that plays the capsule', act: save(saveTest) },
        ]}
      />
      {large && <LargeFile file={large} close={() => setLarge(undefined)} />}
    </>
  );
}

/** What becomes a file. */
interface SavedFile {
  readonly name: string;
  readonly content: string;
  readonly type?: string;
  /** Whether it has a capsule, which may be large. */
  readonly capsule?: boolean;
}

/** The most characters of a capsule that nobody is asked about. */
const MOST = 200_000;

const kilobytes = (text: string): string => `${Math.ceil(text.length / 1000).toLocaleString('en')} kB`;

function CapsuleSize({ rows }: Pick<ExportMenuProps, 'rows'>) {
  const { data, error } = useLoad(async () => kilobytes(JSON.stringify(await capsuleOf(rows))), []);
  return <>{error ?? `${data ?? '…'}, with what they need of the state, without secrets; teebox replay plays it`}</>;
}

/** Asks before a large file is saved. */
function LargeFile({ file, close }: { readonly file: SavedFile; readonly close: () => void }) {
  const save = () => {
    saveFile(file.name, file.content, file.type);
    close();
  };
  return (
    <Dialog title={`${file.name} has ${kilobytes(file.content)}`} close={close}>
      <p>Editors and test runners are slow with it. Fewer requests give a smaller file.</p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={save}>
          Save it anyway
        </button>
      </div>
    </Dialog>
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

async function saveHar(rows: readonly RequestRow[]): Promise<SavedFile> {
  return { name: 'teebox.har', content: JSON.stringify(await harOf(rows), null, 2) };
}

async function saveScript(rows: readonly RequestRow[]): Promise<SavedFile> {
  const [{ log }, { channels }] = await Promise.all([harOf(rows), perform(call('GET', 'channels'))]);
  const paths = new Map(rows.map(({ id, path }) => [id, path]));
  const parts = log.entries.map((entry) => scriptPart(entry, paths, channels));
  const head = `#!/bin/sh\n# ${counted(parts.length, 'request')} to ${baseUrl}, oldest first.\n`;
  return { name: 'teebox-requests.sh', content: [head, ...parts].join('\n'), type: 'text/x-shellscript' };
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
  const first = capsule.steps.find((step) => step.kind === 'request' && idsOf(rows).has(step.id!));
  const cut = cutCapsule(capsule, end);
  // A server that was bundled without the player has the whole.
  return loadPlayer().then(
    ({ sliceCapsule }) => sliceCapsule(cut, first!.id!),
    () => cut,
  );
}

const CAPSULE = 'teebox-capsule.json';

async function saveCapsule(rows: readonly RequestRow[]): Promise<SavedFile> {
  return { name: CAPSULE, content: JSON.stringify(await capsuleOf(rows)), capsule: true };
}

async function saveTest(rows: readonly RequestRow[]): Promise<SavedFile> {
  const capsule = await capsuleOf(rows);
  const [row] = rows;
  const { id, method, path, status } = row!;
  const sent = capsule.steps.filter(({ kind }) => kind === 'request').length;
  const one = rows.length === 1;
  const title = one ? `${id} ${method} ${path.split('?')[0]}: ${status || 'no response'}` : counted(sent, 'request');
  const name = one ? id : 'teebox-requests';
  const content = capsuleTest(title, 'the console', { capsule });
  return { name: `${name}.test.ts`, content, type: 'text/typescript', capsule: true };
}
