import { useEffect } from 'preact/hooks';
import { go, hrefOf, route } from '../../data/route.js';
import { SelectField } from '../../parts/field.js';
import { lazy } from '../../parts/lazy.js';
import { PageHead } from '../../parts/page.js';

/** The file of the documentation, which the build makes of `docs/`. */
declare const TEEBOX_DOCS: string;
declare const TEEBOX_HOMEPAGE: string;

/** The pages by their ids. That of no id lists the others. */
type Pages = Readonly<Record<string, { readonly title: string; readonly html: string }>>;

export default lazy(async () => {
  const loaded = import(TEEBOX_DOCS) as Promise<{ readonly default: Pages }>;
  const { default: pages } = await loaded.catch(() => {
    throw new Error(`This server has no documentation. It is at ${TEEBOX_HOMEPAGE}`);
  });
  return () => <Docs pages={pages} />;
});

function Docs({ pages }: { readonly pages: Pages }) {
  const [id = '', heading] = route.value.rest;
  const { title, html } = pages[id] ?? pages['']!;
  useEffect(() => {
    const asked = document.getElementById(`doc-${heading}`);
    if (asked) asked.scrollIntoView();
    else scrollTo(0, 0);
  }, [id, heading]);
  const select = (
    <SelectField
      label="Page"
      value={id}
      change={(to) => go(hrefOf(['docs', to]))}
      options={Object.entries(pages).map(([one, page]) => [one, page.title])}
    />
  );
  return (
    <>
      <PageHead title={title} actions={select} />
      {/* The build has made it of our own files. */}
      <div key={id} class="docs" dangerouslySetInnerHTML={{ __html: html }} />
    </>
  );
}
