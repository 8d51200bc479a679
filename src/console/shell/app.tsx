import { useEffect, useRef, useState } from 'preact/hooks';
import { consoleUrl, world } from '../data/base.js';
import { route } from '../data/route.js';
import { worldEnd } from '../data/world-end.js';
import { pages } from '../pages/index.js';
import { Empty, PageHead } from '../parts/page.js';
import { lazy } from '../parts/lazy.js';
import { paletteIsOpen } from './palette/open.js';
import { Sidebar } from './sidebar.js';
import { declineToken, giveToken, tokenQuestion } from '../data/token.js';
import { Dialog } from '../parts/dialog.js';
import { TextField } from '../parts/field.js';
import { X } from 'lucide';
import { dismiss, toasts } from '../data/toasts.js';
import { Icon } from '../parts/icon.js';
import { Prose } from '../parts/prose.js';

/** The messages, read aloud as they come. */
function Toaster() {
  return (
    <div class="toaster" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, text }) => (
        <div key={id} class={`toast ${tone}`}>
          <p>
            <Prose text={text} />
          </p>
          <button type="button" class="button quiet bare" onClick={() => dismiss(id)}>
            <Icon of={X} size={14} />
            <span class="unseen">Dismiss</span>
          </button>
        </div>
      ))}
    </div>
  );
}

/** Asks for the admin token when the server requires one. */
function TokenDialog() {
  const question = tokenQuestion.value;
  return question ? <TokenForm wrong={question.wrong} /> : null;
}

function TokenForm({ wrong }: { readonly wrong: boolean }) {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '') giveToken(text.trim());
  };
  return (
    <Dialog title="Admin token" close={declineToken}>
      <form onSubmit={submit}>
        <p class="about">
          This server requires a token for its admin API. It is printed below the address when the server starts, or set
          with <code>--admin-token</code>. This tab keeps it until it is closed.
        </p>
        {wrong && (
          <p class="failure" role="alert">
            The server did not accept that token.
          </p>
        )}
        <TextField label="Token" type="password" value={text} change={setText} required />
        <div class="dialog-actions">
          <button type="button" class="button" onClick={declineToken}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Continue
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Says that the world is gone, above a page that shows how it was. */
function WorldEnded() {
  const reason = worldEnd.value;
  if (reason === undefined) return null;
  return (
    <Dialog title="This world has ended">
      <p>{reason}</p>
      <p class="about">
        The page behind shows its last state. A new world of the same name starts with the data of its seed.
      </p>
      <div class="dialog-actions">
        {world !== undefined && (
          <a class="button" href={consoleUrl()}>
            Go to the main world
          </a>
        )}
        <button type="button" class="button primary" onClick={() => location.reload()}>
          Open a new one
        </button>
      </div>
    </Dialog>
  );
}

const Palette = lazy(async () => (await import('../pages/seldom.js')).Palette);

/** The frame of every page. */
export function App() {
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        Skip to the content
      </a>
      <Sidebar />
      <main id="main" tabIndex={-1}>
        <CurrentPage />
      </main>
      <Toaster />
      {paletteIsOpen.value && <Palette pages={pages} />}
      <TokenDialog />
      <WorldEnded />
    </>
  );
}

/** The address names the page, so that a link to a part of it would leave it. */
function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function CurrentPage() {
  const id = route.value.page || pages[0]!.id;
  const page = pages.find((one) => one.id === id);
  useFocusOnChange(id);
  useEffect(() => void (document.title = `${page?.title ?? 'Not found'} · Teebox`), [page]);
  if (page) return <page.content key={page.id} />;
  return (
    <>
      <PageHead title="Not found" />
      <Empty title={`There is no page “${id}”.`}>
        <a href="#/start">Go to the start</a>
      </Empty>
    </>
  );
}

/** Who goes to another page hears its heading; who opens the console starts at the top. */
function useFocusOnChange(id: string): void {
  const before = useRef(id);
  useEffect(() => {
    if (before.current === id) return;
    before.current = id;
    document.getElementById('main')?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [id]);
}
