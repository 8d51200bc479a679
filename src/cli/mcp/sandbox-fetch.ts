import { type OwnFetch, ownFetch } from '../network/own-fetch.js';

const MIB = 1_048_576;
/** MiB of an answer: more than any call of the tools gets from a sandbox. */
const MOST = 16;
/** Milliseconds for an answer, if the call has no limit of its own. */
const LONGEST = 120_000;

/** Sends requests to the sandbox. What is at the address of `--attach` may be something else, and may answer without end. */
export const sandboxFetch: OwnFetch = async (url, init = {}) => {
  const { status, headers, body } = await ownFetch(url, { signal: AbortSignal.timeout(LONGEST), ...init });
  let length = 0;
  const upToMost = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, stream) {
      length += chunk.byteLength;
      if (length > MOST * MIB) stream.error(new Error(`it is longer than ${MOST} MiB`));
      else stream.enqueue(chunk);
    },
  });
  return new Response(body && body.pipeThrough(upToMost), { status, headers });
};
