import { openAtOnce } from '../views.js';

/** Answers of receivers: the first post of most results fails, and the second of some. */
function failingReceivers(): (url: string, init: RequestInit) => Promise<Response> {
  const posts = new Map<string, number>();
  return async (url) => {
    const count = (posts.get(url) ?? 0) + 1;
    posts.set(url, count);
    return new Response(null, { status: count <= Number(new URL(url).searchParams.get('fail')) ? 503 : 204 });
  };
}

/** The sandbox of a walk; results that fail are posted again when the walk moves the clock. */
export const openWalk = (): ReturnType<typeof openAtOnce> =>
  openAtOnce({ fetch: failingReceivers(), allowCallback: 'any', dialect: { answers: { 'callback.retries': 2 } } });
