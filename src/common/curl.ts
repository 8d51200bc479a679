/** A request as a shell sends it. */
export interface ShellRequest {
  readonly method: string;
  readonly url: string;
  /** The user and password of Basic authentication. */
  readonly user?: string;
  /** Whole lines (`Name: value`). A bearer token may be a variable of the environment (`$TEEBOX_...`). */
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** The `curl` command that sends a request. */
export function curlCommand({ method, url, user, headers = [], body }: ShellRequest): string {
  const usual = body === undefined ? 'GET' : 'POST';
  const verb = method === 'HEAD' ? ['-I'] : ['-X', method];
  const parts = ['curl', ...(method === usual ? [] : verb)];
  if (user !== undefined) parts.push('-u', shellWord(user));
  parts.push(shellWord(url));
  for (const line of headers)
    parts.push('-H', /^[\w-]+: Bearer \$TEEBOX_\w+$/.test(line) ? `"${line}"` : shellWord(line));
  if (body !== undefined) parts.push('--data-raw', shellWord(body));
  return parts.join(' ');
}

/** Quotes a word for a shell, if it needs that. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text);
}

/** Quotes a word for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
