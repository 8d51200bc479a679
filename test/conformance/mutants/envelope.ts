import { altering, type Layer } from '../deployment.js';
import type { Mutant } from './mutant.js';

const answering = (path: RegExp, answer: (response: Response) => Promise<Response>): Layer => {
  return async (request, through) => {
    const response = await through(request);
    return path.test(new URL(request.url).pathname) ? answer(response) : response;
  };
};
const refused = (alter: (body: any) => object): Layer =>
  answering(/\/api\//, async (response) =>
    response.status < 400 ? response : Response.json(alter(await response.json()), { status: response.status }),
  );

/** Answers with another Content-Type, or with none. */
const labelled = (path: RegExp, type: string | undefined): Layer =>
  answering(path, async (response) => {
    const bytes = await response.arrayBuffer();
    return new Response(bytes, {
      status: response.status,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  });

/** Answers whose text is in other bytes. */
const encoded = (path: RegExp, encode: (text: string) => Uint8Array<ArrayBuffer>): Layer =>
  answering(path, async (response) => {
    const { status, headers } = response;
    return new Response(encode(await response.text()), { status, headers });
  });

/** Mistakes about the envelope. */
export const envelopeMutants: readonly Mutant[] = [
  {
    rule: 'envelope.json',
    defect: 'a refusal is an HTML page',
    options: { only: ['envelope.json', 'facilities.path.facilityId'] },
    layer: answering(/abc$/, async ({ status }) => new Response('<h1>No</h1>', { status })),
  },
  {
    rule: 'envelope.json',
    defect: 'the countries are plain text',
    layer: answering(/\/countries$/, async () => new Response('Austria, Denmark')),
  },
  {
    rule: 'envelope.shape',
    defect: 'the countries have no envelope',
    layer: answering(/\/countries$/, async (response) => Response.json(((await response.json()) as any).data)),
  },
  {
    rule: 'envelope.shape',
    defect: 'success is a string',
    layer: altering(/\/countries$/, (body) => (body.success = 'true')),
  },
  {
    rule: 'envelope.shape',
    defect: 'a refusal has no data',
    options: { only: ['envelope.shape', 'facilities.path.facilityId'] },
    layer: refused(({ success, message }) => ({ success, message })),
  },
  {
    rule: 'envelope.content-type',
    defect: 'the countries are labelled as text',
    layer: labelled(/\/countries$/, 'text/plain'),
  },
  {
    rule: 'envelope.content-type',
    defect: 'a refusal has no Content-Type',
    options: { only: ['envelope.content-type', 'facilities.path.facilityId'] },
    layer: labelled(/abc$/, undefined),
  },
  {
    rule: 'envelope.encoding',
    defect: 'the countries begin with a byte order mark',
    layer: encoded(/\/countries$/, (text) => new TextEncoder().encode(`\uFEFF${text}`)),
  },
  {
    rule: 'envelope.encoding',
    defect: 'the facilities of v2 are in Latin-1',
    options: { only: ['envelope.encoding', 'facilities.list'] },
    layer: encoded(/\/v2\/facilities$/, (text) =>
      Uint8Array.from(text.replaceAll('golf', 'g\u00f6lf'), (letter) => letter.charCodeAt(0)),
    ),
  },
  {
    rule: 'envelope.success-true',
    defect: 'v2 returns data with success false',
    options: { only: ['envelope.success-true', 'countries.list'] },
    layer: altering(/\/v2\/countries$/, (body) => (body.success = false)),
  },
  {
    rule: 'envelope.failure-false',
    defect: 'a refusal reports success',
    options: { only: ['envelope.failure-false', 'facilities.path.facilityId'] },
    layer: refused((body) => ({ ...body, success: true })),
  },
];
