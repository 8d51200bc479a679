/**
 * A request of a collection. `before` and `after` are JavaScript that both tools run, with these functions: `get(name)` and
 * `set(name, value)` for variables, `keep(name, value)` for the environment, `send(path, then)` for another GET request,
 * `skip()`, `wait(milliseconds)`, `check(title, test)`, `expect`, and, in `after`, `status` and `body`.
 */
export interface Request {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** From the base URL, with variables (`{{teeId}}`). */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** JSON, but for variables that stand for numbers. */
  readonly body?: string;
  readonly auth: boolean;
  /** The value of the header `Teebox-Scenario`; the header is off where it is not what the request is for. */
  readonly scenario: string;
  readonly struck?: true;
  readonly before?: string;
  /** The status of the answer, and the value of `success`, if there is one. */
  readonly wanted: { readonly status: number; readonly success?: boolean };
  readonly after?: string;
  /** What the sandbox answers. */
  readonly answer?: unknown;
}

/** A folder with requests or with folders. */
export interface Folder {
  readonly name: string;
  readonly description: string;
  readonly requests?: readonly Request[];
  readonly folders?: readonly Folder[];
}

/** What a variable is before a script sets it. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly secret?: true;
}

export interface Collection {
  readonly name: string;
  readonly description: string;
  readonly folders: readonly Folder[];
  readonly variables: readonly Variable[];
  readonly environments: readonly { readonly name: string; readonly variables: readonly Variable[] }[];
}

/** A text as part of the name of a file: `A partner's day` is `a-partners-day`. */
export function fileName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
