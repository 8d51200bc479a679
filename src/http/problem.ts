const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  500: 'Internal Server Error',
} as const;

export type ProblemStatus = keyof typeof titles;

/** An error of the sandbox itself rather than of the simulated service (RFC 9457). */
export function problemResponse(
  status: ProblemStatus,
  detail: string,
  {
    headers = {},
    ...members
  }: { readonly headers?: Readonly<Record<string, string>>; readonly [member: string]: unknown } = {},
): Response {
  const body = JSON.stringify({ type: 'about:blank', title: titles[status], status, detail, ...members });
  return new Response(body, { status, headers: { ...headers, 'content-type': 'application/problem+json' } });
}
