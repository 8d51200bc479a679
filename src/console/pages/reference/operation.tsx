import { useEffect, useRef, useState } from 'preact/hooks';
import { baseUrl } from '../../data/base.js';
import { type ClientRequest, commandOf } from '../../data/client-request.js';
import { hrefOf } from '../../data/route.js';
import { token } from '../../data/token.js';
import { MethodBadge, StatusBadge } from '../../parts/badge.js';
import { CopyButton } from '../../parts/copy.js';
import { SelectField, TextArea, TextField } from '../../parts/field.js';
import { JsonView, parsed } from '../../parts/json-view.js';
import { Card, Failure } from '../../parts/page.js';
import { Prose } from '../../parts/prose.js';
import { sendBooking } from '../tee-sheet/dialogs/book-request.js';
import {
  addressOf,
  type Contract,
  type Operation,
  type Parameter,
  type SeenResponse,
  sendRequest,
  type ViewedDocument,
} from './contract.js';
import { SchemaView } from './schema-view.js';
import { bodyIn, type Login, valueFor, type WorldValues } from './world-values.js';

/** The access tokens of refreshes on this page, by channel. */
const accessTokens = new Map<string, string>();

interface OperationProps {
  readonly of: ViewedDocument;
  readonly contract: Contract;
  readonly operation: Operation;
  readonly login: Login;
  readonly world: WorldValues;
  /** Looks at the world again, after a request may have changed it. */
  readonly refresh: () => Promise<void>;
}

/** One operation: what it is, a form that sends it to this sandbox, and what it returns. */
export function OperationView(props: OperationProps) {
  const { contract, operation } = props;
  const { method, path, summary, description, rule, body, responses } = operation;
  const title = useRef<HTMLHeadingElement>(null);
  // Who follows a link to an operation hears it; a page that is opened with one starts at the top.
  useEffect(() => {
    if (document.activeElement instanceof HTMLAnchorElement) title.current!.focus();
  }, []);
  return (
    <article class="operation" aria-label={summary.replaceAll('`', '')}>
      <header>
        <h2 id="operation-title" tabIndex={-1} ref={title}>
          <Prose text={summary} />
        </h2>
        <p class="request-line">
          <MethodBadge method={method} /> <code>{path}</code>
        </p>
        {description && (
          <p class="operation-about">
            <Prose text={description} />
          </p>
        )}
        {rule && (
          <p class="about">
            Rule <code>{rule}</code>
          </p>
        )}
      </header>
      <TryIt {...props} />
      {body && (
        <Card title="Request body">
          <SchemaView deref={contract.deref} schema={body.schema} />
        </Card>
      )}
      <Card title="Responses">
        {responses.map(({ status, description: words, schema, examples }) => (
          <section key={status} class="response" aria-label={`Response ${status}`}>
            <h3>{status}</h3>
            <p>
              <Prose text={words} />
            </p>
            {schema && <SchemaView deref={contract.deref} schema={schema} />}
            {examples.map(([name, value]) => (
              <Example key={name} name={`${status} ${name}`} value={value} />
            ))}
          </section>
        ))}
      </Card>
    </article>
  );
}

function Example({ name, value }: { readonly name: string; readonly value: unknown }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="headers" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Example {name}</summary>
      {open && <JsonView value={value} name={`the example ${name}`} />}
    </details>
  );
}

/** What a person changed; what is not in it comes from the world. */
interface Edits {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly example: number;
  readonly headers: string;
  readonly credentials: string;
}

const untouched: Edits = { parameters: {}, example: 0, headers: '', credentials: 'basic' };

/** The form of a request, and the response to it. */
function TryIt(props: OperationProps) {
  const { of, operation, login, world, refresh } = props;
  const [edits, setEdits] = useState(untouched);
  const [seen, setSeen] = useState<SeenResponse>();
  const [error, setError] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const [busy, setBusy] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const change = (changes: Partial<Edits>) => setEdits((old) => ({ ...old, ...changes }));
  const valueOf = (parameter: Parameter) => edits.parameters[parameter.name] ?? usualValue(operation, parameter, world);
  const filled = requestOf(props, edits, valueOf);
  const submit = async (event: Event) => {
    event.preventDefault();
    const { signal } = (running.current = new AbortController());
    setBusy(true);
    setError(undefined);
    setSeen(undefined);
    try {
      const response = await sendRequest(filled, signal, setSeen);
      setSeen(response);
      keepToken(login, response);
    } catch (reason) {
      if (!signal.aborted) setError(`No response came: ${(reason as Error).message}`);
    }
    // The next request is sent with what is free then.
    await refresh().finally(() => setBusy(false));
  };
  const missing = operation.parameters.filter(
    (one) => /^(service|bulk)BookingId$/.test(one.name) && valueOf(one) === '',
  );
  const touched = Object.keys(edits.parameters).length > 0 || edits.body !== undefined;
  return (
    <Card
      title="Try it"
      about={
        of === 'api'
          ? 'The values exist in this world: tee times are free, and the booking is the last one.'
          : undefined
      }
    >
      <form class="try" onSubmit={submit}>
        {missing.length > 0 && (
          <BookFirst login={login} world={world} several={missing[0]!.name === 'bulkBookingId'} done={refresh} />
        )}
        {operation.parameters.length > 0 && (
          <div class="parameters">
            {operation.parameters.map((one) => (
              <ParameterField
                key={one.name}
                of={one}
                value={valueOf(one)}
                change={(value) => change({ parameters: { ...edits.parameters, [one.name]: value } })}
              />
            ))}
          </div>
        )}
        <BodyField {...props} edits={edits} change={change} />
        <Sender {...props} edits={edits} change={change} />
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            Send
          </button>
          {busy && (
            <button type="button" class="button" onClick={() => running.current?.abort()}>
              Stop
            </button>
          )}
          <CopyButton text={() => commandOf(filled)} name="the request as curl" label="Copy as curl" />
          {touched && (
            <button type="button" class="button quiet" onClick={() => setEdits(untouched)}>
              Restore the example
            </button>
          )}
        </div>
      </form>
      {error && <Failure reason={error} />}
      <div role="status" class="unseen">
        {seen && !seen.open ? `The response has the status ${seen.status}.` : ''}
      </div>
      {seen && <ResponseView response={seen} explained={of === 'api'} />}
    </Card>
  );
}

/** The world first, then the contract. Optional parameters stay empty. */
function usualValue({ path }: Operation, { name, required, example, schema }: Parameter, world: WorldValues): string {
  if (!required) return '';
  const known = valueFor(world, path, name);
  if (known !== undefined) return known;
  // An id that the world has none of would be a dead example.
  if (/^(service|bulk)?(booking)?id$/i.test(name)) return '';
  return String(example ?? schema.enum?.[0] ?? '');
}

function exampleBody({ body }: Operation, world: WorldValues, index: number): string | undefined {
  if (!body) return undefined;
  const [, value] = body.examples[index] ?? [];
  return value === undefined ? '' : JSON.stringify(bodyIn(world, value), null, 2);
}

function requestOf(
  { of, operation, login, world }: OperationProps,
  edits: Edits,
  valueOf: (parameter: Parameter) => string,
): ClientRequest {
  const body = edits.body ?? exampleBody(operation, world, edits.example);
  const lines = edits.headers.split('\n').flatMap((line) => {
    const [name = '', ...value] = line.split(':');
    return value.length === 0 ? [] : [[name.trim(), value.join(':').trim()] as const];
  });
  const given = operation.parameters.flatMap((one) =>
    one.in === 'header' && valueOf(one) !== '' ? [[one.name, valueOf(one)] as const] : [],
  );
  const access = accessTokens.get(login.name);
  const isBasic = of === 'api' && operation.secured && edits.credentials === 'basic';
  const bearer =
    of === 'admin' && token.value !== undefined
      ? ([token.value, '$TEEBOX_ADMIN_TOKEN'] as const)
      : edits.credentials === 'bearer' && access !== undefined
        ? ([access, access] as const)
        : undefined;
  return {
    method: operation.method,
    url: `${baseUrl}${addressOf(operation, valueOf)}`,
    user: isBasic ? `${login.username}:${login.password}` : undefined,
    bearer,
    headers: [...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]), ...given, ...lines],
    body,
  };
}

/** A refresh returns the access token that the next request may use. */
function keepToken({ name }: Login, { text }: SeenResponse): void {
  const body = parsed(text) as { data?: { access_token?: unknown } | null } | null;
  const access = typeof body === 'object' ? body?.data?.access_token : undefined;
  if (typeof access === 'string') accessTokens.set(name, access);
}

interface ParameterFieldProps {
  readonly of: Parameter;
  readonly value: string;
  readonly change: (value: string) => void;
}

function ParameterField({
  of: { name, required = false, description, example, schema, in: place },
  value,
  change,
}: ParameterFieldProps) {
  const label = `${name}${required ? '' : ' (optional)'}`;
  const hint = (
    <>
      <Prose text={description ?? ''} /> {place === 'query' ? '' : `In the ${place}.`}
    </>
  );
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  if (choices) {
    const options = choices.map((one) => [one, one] as const);
    return (
      <SelectField
        label={label}
        value={value}
        change={change}
        hint={hint}
        options={required ? options : [['', 'not sent'], ...options]}
      />
    );
  }
  return (
    <TextField
      label={label}
      value={value}
      change={change}
      hint={hint}
      {...(example !== undefined && { placeholder: String(example) })}
    />
  );
}

type Change = (changes: Partial<Edits>) => void;

function BodyField({
  operation,
  world,
  edits,
  change,
}: OperationProps & { readonly edits: Edits; readonly change: Change }) {
  const { body } = operation;
  if (!body) return null;
  const text = edits.body ?? exampleBody(operation, world, edits.example)!;
  const wrong = text !== '' && typeof parsed(text) === 'string' && !text.trim().startsWith('"');
  return (
    <>
      {body.examples.length > 1 && (
        <SelectField
          label="Example"
          value={String(edits.example)}
          change={(index) => change({ example: Number(index), body: undefined })}
          options={body.examples.map(([name], index) => [String(index), name])}
        />
      )}
      <TextArea label="Body" value={text} change={(next) => change({ body: next })} rows={rowsOf(text)} />
      {wrong && <p class="hint">This is not valid JSON. It is sent as it is.</p>}
    </>
  );
}

const MOST_ROWS = 24;

function rowsOf(text: string): number {
  return Math.min(MOST_ROWS, Math.max(4, text.split('\n').length));
}

/** Who sends it, and with which further headers. */
function Sender({
  of,
  operation: { secured },
  login: { name },
  edits,
  change,
}: OperationProps & { readonly edits: Edits; readonly change: Change }) {
  const bearer = accessTokens.has(name) ? [['bearer', 'Access token of the last refresh'] as const] : [];
  return (
    <details class="headers">
      <summary>Credentials and headers</summary>
      <div class="parameters">
        {of === 'api' && secured && (
          <SelectField
            label="Credentials"
            value={edits.credentials}
            change={(credentials) => change({ credentials })}
            options={[['basic', `Basic, of ${name}`], ...bearer, ['none', 'None']]}
          />
        )}
        <TextArea
          label="Further headers, one a line, such as Teebox-Scenario: cart-problem"
          value={edits.headers}
          change={(headers) => change({ headers })}
          rows={2}
        />
      </div>
    </details>
  );
}

interface BookFirstProps {
  readonly login: Login;
  readonly world: WorldValues;
  readonly several: boolean;
  readonly done: () => Promise<void>;
}

/** A payment needs a booking, which a fresh world has not. */
function BookFirst({ login, world, several, done }: BookFirstProps) {
  const [error, setError] = useState<string>();
  const contact = {
    contactFirstName: 'Ada',
    contactLastName: 'Lovelace',
    contactPhone: '+31 20 555 0100',
    contactEmail: 'ada@partner.example',
  };
  const book = async () => {
    const fields = ['facilityId', 'teetime', 'course', 'teeId', 'holes', 'players', 'productId', 'netRate'];
    const empty = { ...Object.fromEntries(fields.map((name) => [name, null])), ...contact };
    const body = bodyIn(world, several ? { details: [empty, empty] } : empty);
    const { booked, message } = await sendBooking(login, body);
    setError(booked ? undefined : message);
    await done();
  };
  return (
    <div class="why">
      <p>
        {`The channel ${login.name} has no ${several ? 'bookings of a group' : 'booking'} yet. `}
        <button type="button" class="button" onClick={() => void book()}>
          {several ? 'Book two tee times' : 'Book a tee time'}
        </button>
      </p>
      {error && <Failure reason={error} />}
    </div>
  );
}

function ResponseView({ response, explained }: { readonly response: SeenResponse; readonly explained: boolean }) {
  const { status, milliseconds, headers, text, open } = response;
  const id = headers.find(([name]) => name === 'teebox-request-id')?.[1];
  return (
    <section class="seen" aria-label="Response">
      <p class="request-line">
        <StatusBadge status={status} />
        <span class="about">{`${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms${open ? ', open' : ''}`}</span>
        {explained && id !== undefined && <a href={hrefOf(['requests', id])}>Why this response</a>}
      </p>
      <details class="headers">
        <summary>{`Headers (${headers.length})`}</summary>
        <dl>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {text === '' ? <p class="about">The body is empty.</p> : <JsonView value={parsed(text)} name="the response" />}
    </section>
  );
}
