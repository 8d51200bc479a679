/** Errors of the admin API and of addresses outside the API (RFC 9457). Those of the API itself are refusals. */
const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
} as const;

export type ProblemStatus = keyof typeof titles;

interface ProblemMembers {
  readonly headers?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** An error of the sandbox itself rather than of the simulated service (RFC 9457). */
export function problemResponse(
  status: ProblemStatus | (number & {}),
  detail: string,
  { headers = {}, ...members }: ProblemMembers = {},
): Response {
  const title = titles[status as ProblemStatus] ?? (status < 500 ? 'Client Error' : 'Server Error');
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, ...members });
  return new Response(body, { status, headers: { ...headers, 'content-type': 'application/problem+json' } });
}
