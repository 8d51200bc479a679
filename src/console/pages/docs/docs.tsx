import { useEffect } from 'preact/hooks';
import { go, hrefOf, route } from '../../data/route.js';
import { useLoad } from '../../data/load.js';
import { SelectField } from '../../parts/field.js';
import { Failure, PageHead } from '../../parts/page.js';
import { htmlOf } from './render.js';

/** The titles of the pages by their ids, sorted, and a hash of all pages. The build makes both of `docs/`. */
declare const TEEBOX_DOCS: { readonly titles: Readonly<Record<string, string>>; readonly hash: string };
declare const TEEBOX_HOMEPAGE: string;
declare const TEEBOX_REPOSITORY: string;

const { titles, hash } = TEEBOX_DOCS;

export default function Docs() {
  const { rest } = route.value;
  // The id of a page may be written with its slash, which an address otherwise encodes.
  const parts = Object.hasOwn(titles, rest.slice(0, 2).join('/')) ? 2 : 1;
  const asked = rest.slice(0, parts).join('/');
  const heading = rest[parts];
  const id = Object.hasOwn(titles, asked) ? asked : '';
  const select = (
    <SelectField
      label="Page"
      value={id}
      change={(to) => go(hrefOf(['docs', to]))}
      options={[['', 'Documentation'], ...Object.entries(titles)]}
    />
  );
  return (
    <>
      <PageHead title={titles[id] ?? 'Documentation'} actions={select} />
      {id === asked || <Failure reason={`This server has no page “${asked}”.`} />}
      {id === '' ? <List /> : <Guide key={id} id={id} heading={heading} />}
    </>
  );
}

function List() {
  return (
    <div class="docs">
      <ul>
        {Object.entries(titles).map(([id, title]) => (
          <li key={id}>
            <a href={hrefOf(['docs', id])}>{title}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Guide({ id, heading }: { readonly id: string; readonly heading: string | undefined }) {
  const { data: html, error } = useLoad(() => load(id), [id]);
  useEffect(() => {
    const asked = document.getElementById(`doc-${heading}`);
    if (asked) asked.scrollIntoView();
    else scrollTo(0, 0);
  }, [html, heading]);
  if (error !== undefined) return <Failure reason={error} />;
  if (html === undefined) return <p class="loading">Loading…</p>;
  return <div class="docs" dangerouslySetInnerHTML={{ __html: html }} />;
}

async function load(id: string): Promise<string> {
  const response = await fetch(`console/docs/${id}.md?${hash}`);
  if (!response.ok) throw new Error(`This server has no documentation. It is at ${TEEBOX_HOMEPAGE}`);
  return htmlOf(id, await response.text(), { titles, repository: TEEBOX_REPOSITORY });
}
