import { quoted } from '../../common/index.js';
import type { Exchange } from '../client/exchange.js';

/** Characters of each part of a command. */
const MOST = 8000;

/**
 * A command that sends the request of an exchange again. Secrets are environment variables, with the names that the
 * suite uses, so that the command can be pasted into a shell that has them.
 */
export function curlOf({ request, caller }: Exchange): string {
  const { method, url, headers, body } = request;
  const prefix = caller === 'second' ? 'TEEBOX_SECOND_' : 'TEEBOX_';
  const parts = ['curl', '-i', ...(method === 'GET' ? [] : ['-X', method]), quoted(shortened(url))];
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'user-agent' || name === 'accept') continue;
    if (/^basic /i.test(value)) parts.push('-u', `"$${prefix}BASIC"`);
    else if (/^bearer /i.test(value)) parts.push('-H', `"${name}: Bearer $${prefix}ACCESS_TOKEN"`);
    else parts.push('-H', quoted(shortened(`${name}: ${value}`)));
  }
  if (body !== undefined) parts.push('--data-raw', quoted(shortened(body)));
  return parts.join(' ');
}

/** A part of a command that a report can show. The `har` report has it whole. */
function shortened(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST)}...`;
}
