import { useEffect, useRef } from 'preact/hooks';
import { route } from '../data/route.js';
import { pages } from '../pages/index.js';
import { Empty, PageHead } from '../parts/page.js';
import { Toaster } from '../parts/toaster.js';
import { Sidebar } from './sidebar.js';
import { TokenDialog } from './token-dialog.js';

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
      <TokenDialog />
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
