import type { RuleResult } from '../../../src/conformance/client/types.js';
import type { Exchange } from '../../../src/conformance/client/exchange.js';
import { decisiveOf, otherOf } from '../../../src/conformance/report/check-report.js';
import type { RecordedRun } from '../../../src/conformance/report/recorder.js';
import type { Layer } from '../deployment.js';

/** A request without its host; tokens are masked in a recording. */
function keyOf(method: string, url: string, body = ''): string {
  const path = url.replace(/^\w+:\/\/[^/]+/, '');
  return `${method} ${path} ${path.includes('/token/') ? '' : body}`;
}

const bodyOf = async (request: Request): Promise<string> => (request.method === 'GET' ? '' : request.clone().text());

async function bytesOf(response: Response): Promise<string> {
  const bytes = await response.clone().arrayBuffer();
  return [response.status, ...response.headers, Buffer.from(bytes).toString('latin1')].join('\n');
}

/** A layer that notes the requests that it answers in another way than the deployment behind it. */
export const noting =
  (layer: Layer, altered: Set<string>): Layer =>
  async (request, through) => {
    const body = await bodyOf(request);
    const key = keyOf(request.method, request.url, body);
    const right: string[] = [];
    const spy = async (one: Request): Promise<Response> => {
      const isSame =
        one === request ||
        (one.url === request.url &&
          one.method === request.method &&
          (await bodyOf(one)) === body &&
          [...request.headers].every(([name, value]) => one.headers.get(name) === value));
      const response = await through(one);
      right.push(isSame ? await bytesOf(response) : 'another request');
      return response;
    };
    try {
      const response = await layer(request, spy);
      if (right.length !== 1 || right[0] !== (await bytesOf(response))) altered.add(key);
      return response;
    } catch (error) {
      altered.add(key);
      throw error;
    }
  };

/** The request that a finding repeats, where neither it nor the one beside it meets the defect. */
export function strayOf(result: RuleResult, run: RecordedRun, altered: ReadonlySet<string>): string | undefined {
  const again = decisiveOf(result, run);
  const meets = (one: Exchange | undefined): boolean =>
    one !== undefined && altered.has(keyOf(one.request.method, one.request.url, one.request.body));
  if (meets(again) || meets(otherOf(result, run))) return undefined;
  // What is posted, or not, is no answer to the search.
  if (result.shownBy?.startsWith('c') || again?.operation === 'v5.searchTeeTimes') return undefined;
  // What was written wrong is seen in a view.
  const isView = again?.request.method === 'GET' && [...altered].some((key) => !key.startsWith('GET '));
  return isView ? undefined : `${again?.id} ${again?.request.method} ${again?.request.url}`;
}
