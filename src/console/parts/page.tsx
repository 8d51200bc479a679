import type { ComponentChildren } from 'preact';
import { liveState } from '../data/live.js';
import { CurlMenu } from './curl.js';
import { Prose } from './prose.js';

interface PageHeadProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** The head of a page: its heading, what it is for, and what can be done. `#page-title` gets the focus on arrival. */
export function PageHead({ title, about, actions }: PageHeadProps) {
  return (
    <header class="page-head">
      <div>
        <h1 id="page-title" tabIndex={-1}>
          {title}
        </h1>
        {about && <p class="about">{about}</p>}
      </div>
      <div class="actions">
        {actions}
        <CurlMenu />
      </div>
    </header>
  );
}

interface CardProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Without space around the content, as for a table. */
  readonly flush?: boolean;
  readonly children: ComponentChildren;
}

/** A framed part of a page with a heading of its own. */
export function Card({ title, about, actions, flush = false, children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      <header class="card-head">
        <div>
          <h2>{title}</h2>
          {about && <p class="about">{about}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      <div class={flush ? 'card-body flush' : 'card-body'}>{children}</div>
    </section>
  );
}

/** Names with values. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface EmptyProps {
  readonly title: string;
  /** It tells of the sandbox, of which nothing is known while the server is gone. */
  readonly yet?: boolean;
  readonly children?: ComponentChildren;
}

/** What stands where there is nothing yet, and how something gets there. */
export function Empty({ title, yet = false, children }: EmptyProps) {
  if (yet && liveState.value === 'lost') return null;
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="about">{children}</div>}
    </div>
  );
}

/** What failed to load, with the reason. */
export function Failure({ reason, retry }: { readonly reason: string; readonly retry?: () => unknown }) {
  return (
    <div class="failure" role="alert">
      <p>
        <Prose text={reason} />
      </p>
      {retry && (
        <button type="button" class="button" onClick={() => void retry()}>
          Try again
        </button>
      )}
    </div>
  );
}
