import { baseUrl } from '../../data/base.js';
import { call } from '../../data/api.js';
import { useCall, useLoad } from '../../data/load.js';
import { go, hrefOf, queryField, route, setQuery } from '../../data/route.js';
import { MethodBadge } from '../../parts/badge.js';
import { SelectField, TextField } from '../../parts/field.js';
import { Empty, Failure, PageHead } from '../../parts/page.js';
import { Prose } from '../../parts/prose.js';
import { type Contract, loadContract, type Operation, type ViewedDocument } from './contract.js';
import { OperationView } from './operation.js';
import { type Login, worldValues } from './world-values.js';

const documents: readonly (readonly [id: ViewedDocument, title: string])[] = [
  ['api', 'The API'],
  ['admin', 'The admin API'],
];

/** The contract and the admin API, with requests to this sandbox. */
export default function Reference() {
  const channels = useCall(call('GET', 'channels'));
  const [part, operationId] = route.value.rest;
  const of: ViewedDocument = part === 'admin' ? 'admin' : 'api';
  const { data: contract, error } = useLoad(() => loadContract(of), [of]);
  const wanted = route.value.query.get('channel');
  const logins = channels.data?.channels ?? [];
  const login = logins.find(({ name }) => name === wanted) ?? logins[0];
  const { world, error: worldError, reload } = useWorld(of, login);
  const operation = contract?.operations.find(({ id }) => id === operationId);
  const refresh = async () => {
    await channels.reload();
    await reload();
  };
  const failure = channels.error ?? (error && `The reference did not arrive: ${error}`) ?? worldError;
  return (
    <>
      <PageHead
        title="API reference"
        about={
          <>
            Every operation, with requests to <code>{baseUrl}</code>. The values of the open world are filled in.
          </>
        }
      />
      {failure && <Failure reason={failure} retry={refresh} />}
      <div class="reference-choice">
        <SelectField
          label="Document"
          value={of}
          change={(value) => go(hrefOf(['reference', value]))}
          options={documents}
        />
        {login && of === 'api' && (
          <SelectField
            label="Channel"
            value={login.name}
            change={(channel) => setQuery({ channel })}
            options={logins.map(({ name }) => [name, name] as const)}
          />
        )}
      </div>
      {!contract && !error && <p class="loading">Loading…</p>}
      {contract && (
        <div class={operation ? 'reference has-operation' : 'reference'}>
          <OperationList of={of} contract={contract} open={operation?.id} />
          {operation && login && world && (
            <OperationView
              key={`${of} ${operation.id} ${login.name}`}
              {...{ of, contract, operation, login, world, refresh }}
            />
          )}
        </div>
      )}
    </>
  );
}

/** The values of the world for a channel; those of before stay while they are looked for again. */
function useWorld(of: ViewedDocument, login: Login | undefined) {
  const { data, error, reload } = useLoad(async () => login && worldValues(of, login.name), [of, login?.name]);
  // A refresh gives the channel another token, and leaves the rest as it is.
  const token = login?.refreshToken ?? undefined;
  const world = data && token !== undefined ? { ...data, values: { ...data.values, refreshToken: token } } : data;
  return { world, error, reload };
}

interface OperationListProps {
  readonly of: ViewedDocument;
  readonly contract: Contract;
  readonly open: string | undefined;
}

/** All operations by their tags, or those that contain the words of the filter. */
function OperationList({ of, contract: { tags, operations }, open }: OperationListProps) {
  const { query } = route.value;
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const shown = operations.filter((one) => words.every((word) => textOf(one).includes(word)));
  return (
    <nav class="operations" aria-label="Operations">
      {open !== undefined && (
        <a class="all-operations" href={hrefOf(['reference', of], query)}>
          All operations
        </a>
      )}
      <TextField label="Find an operation" type="search" {...queryField('q')} placeholder="v5 bookings" />
      {shown.length === 0 && <Empty title="No operation contains these words" />}
      {tags.map(({ name, description }) => {
        const own = shown.filter(({ tag }) => tag === name);
        return own.length === 0 ? null : (
          <section key={name} aria-label={name}>
            <h2>{name[0]!.toUpperCase() + name.slice(1)}</h2>
            <p class="about">
              <Prose text={description} />
            </p>
            <ul>
              {own.map((one) => (
                <li key={one.id}>
                  <a
                    href={hrefOf(['reference', of, one.id], query)}
                    aria-current={one.id === open ? 'page' : undefined}
                  >
                    <MethodBadge method={one.method} />
                    <code>{one.path}</code>
                    <span>
                      <Prose text={one.summary} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

function textOf({ id, method, path, summary, tag }: Operation): string {
  return `${id} ${method} ${path} ${summary} ${tag}`.toLowerCase();
}
