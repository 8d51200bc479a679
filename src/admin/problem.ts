const titles = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  500: 'Internal Server Error',
} as const;

type Status = keyof typeof titles;

/** An error of our own, apart from those of the service we stand for (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: Status,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }

  response(): Response {
    const { status, detail } = this;
    const headers = { ...this.headers, 'content-type': 'application/problem+json' };
    return new Response(JSON.stringify({ type: 'about:blank', title: titles[status], status, detail }), {
      status,
      headers,
    });
  }
}

const SHOWN = 80;

/** A value from the caller, short enough for a sentence. */
export function shown(value: string): string {
  return `\`${value.length > SHOWN ? `${value.slice(0, SHOWN)}...` : value}\``;
}
