/** Thrown for invalid input: an option, a request body, a header, a dialect card or a state. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  /** The input it is about, if several are read together: `state`, `chaos` or `rivals`. */
  declare input?: string;
  /** The JSON pointer of the value, as far as it is known. */
  declare pointer?: string;

  constructor(
    message: string,
    /** What would fit, for programs. */
    readonly fits: readonly string[],
  ) {
    super(message);
  }

  /** The message, followed by what fits unless the message says so itself. */
  get advice(): string {
    if (this.fits.every((one) => this.message.includes(one))) return this.message;
    return `${this.message} What fits: ${this.fits.map((one) => `\`${one}\``).join(', ')}.`;
  }
}

const SHOWN = 80;
const MOST_PARTS = 40;
const secret = /token|current|password|secret|authorization/i;

/** A value of the caller as JSON, shortened and without secrets. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  let left = MOST_PARTS;
  const text = JSON.stringify(value, (key, item: unknown) => {
    // A value may have millions of characters or levels, so no more of it is read than shown.
    if (left-- <= 0) return undefined;
    if (typeof item === 'string') return secret.test(key) ? '...' : item.slice(0, SHOWN + 1);
    return Array.isArray(item) ? item.slice(0, MOST_PARTS) : item;
  });
  if (text === undefined) return typeof value;
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}

/** An invalid field: its path, what it must be, and its value. */
export function validationError(
  path: string,
  expected: string,
  got: unknown,
  fits: readonly string[] = [expected],
): ValidationError {
  return new ValidationError(`\`${path}\` must be ${expected}; got ${shown(got)}.`, fits);
}

/** Refuses the second of two equal values. */
export function createUnique(): (value: string | number, path: string) => void {
  const seen = new Set<string | number>();
  return (value, path) => {
    const what = secret.test(path) ? 'the same value' : shown(value);
    if (seen.has(value))
      throw new ValidationError(`\`${path}\` must be unique; ${what} is listed twice.`, ['another value']);
    seen.add(value);
  };
}

/** The allowed values, as words of a sentence. */
export function alternatives(values: readonly unknown[]): string {
  const written = values.map((value) => JSON.stringify(value));
  return written.length > 3 ? `one of ${written.join(', ')}` : written.join(' or ');
}
