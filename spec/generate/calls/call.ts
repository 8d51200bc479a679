/**
 * A request that works against a sandbox in its initial state. Its path, query and body may have variables (`{{teeId}}`);
 * `Values` has a value for each.
 */
export interface Call {
  /** The id of the operation; with a shape of its body behind it, where it has several: `v5.createBooking.linked`. */
  readonly id: string;
  readonly operation: string;
  readonly name: string;
  /** Such as `v5`; `*` where the version is a parameter. */
  readonly version: string;
  readonly resource: string;
  readonly title: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** JSON, but for variables that stand for numbers. */
  readonly body?: string;
  readonly auth: boolean;
  readonly rule: string;
  /** The call that must have been made before. */
  readonly needs?: string;
}

/** The values of variables, by name. */
export type Values = Readonly<Record<string, string | number>>;

/** A text with its variables replaced. */
export function filled(text: string, values: Values, write: (value: string) => string = (value) => value): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (values[name] === undefined)
      throw new Error(`No value for the variable ${name} of a call. Add it to values.ts.`);
    return write(String(values[name]));
  });
}

/** The path with its query, from the base URL, with all variables replaced. */
export function pathOf({ path, query }: Call, values: Values): string {
  const pairs = query.map(([name, value]) => `${name}=${filled(value, values, queryValue)}`);
  return filled(path, values, encodeURIComponent) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
}

/** Leaves commas and addresses legible, which a query may have as they are. */
function queryValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');
}
