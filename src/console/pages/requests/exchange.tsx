import { counted } from '../../../common/index.js';
import type { AdminType } from '../../data/api.js';
import { JsonView } from '../../parts/json-view.js';

/** What was sent and what was answered, side by side where there is room. */
export function Exchange({
  view: { request, response },
}: {
  readonly view: Pick<AdminType<'RequestView'>, 'request' | 'response'>;
}) {
  return (
    <div class="exchange">
      <Message title="Request" headers={request.headers} body={request.body} />
      {response ? (
        <Message title="Response" headers={response.headers} body={response.body} length={response.length} />
      ) : (
        <Message title="Response" />
      )}
    </div>
  );
}

interface MessageProps {
  readonly title: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly length?: number;
}

/** Headers and body of one side of an exchange. */
function Message({ title, headers, body, length }: MessageProps) {
  return (
    <section class="message" aria-label={title}>
      <h3>
        {title}
        {length !== undefined && <span class="about">{` · ${length.toLocaleString('en')} characters`}</span>}
      </h3>
      {headers && <HeaderList of={headers} name={`The headers of the ${title.toLowerCase()}`} />}
      {body !== undefined && <JsonView value={body} name={`the body of the ${title.toLowerCase()}`} />}
      {!headers && <p class="about">There is none.</p>}
      {headers && body === undefined && (
        <p class="about">{length ? 'The body was too long to keep.' : 'There is no body.'}</p>
      )}
    </section>
  );
}

function HeaderList({ of, name }: { readonly of: Readonly<Record<string, string>>; readonly name: string }) {
  const entries = Object.entries(of);
  return (
    <details class="headers">
      <summary>{counted(entries.length, 'header')}</summary>
      <dl aria-label={name}>
        {entries.map(([header, value]) => (
          <div key={header}>
            <dt>{header}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
