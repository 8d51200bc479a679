import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { type RawHeaders, rawHeader } from './raw-headers.js';

/** The most bytes of a body after decompression: a small one may become any length. */
const maxOutputLength = 64 * 1024 * 1024;
const decoders = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** A body without its compression; undefined if it cannot be read. */
export function decodedBody(headers: RawHeaders, body: Uint8Array): Uint8Array | undefined {
  const coding = rawHeader(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || body.length === 0) return body;
  const decode = Object.entries(decoders).find(([name]) => name === coding)?.[1];
  try {
    return decode?.(body, { maxOutputLength });
  } catch {
    return undefined;
  }
}
