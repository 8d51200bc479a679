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

/** Mistakes about the envelope. */
export const envelopeMutants: readonly Mutant[] = [
  {
    rule: 'envelope.json',
    defect: 'a refusal is a page',
    options: { only: ['envelope.json', 'facilities.path.facilityId'] },
    layer: answering(/abc$/, async ({ status }) => new Response('<h1>No</h1>', { status })),
  },
  {
    rule: 'envelope.json',
    defect: 'the countries are text',
    layer: answering(/\/countries$/, async () => new Response('Austria, Denmark')),
  },
  {
    rule: 'envelope.shape',
    defect: 'the countries come without an envelope',
    layer: answering(/\/countries$/, async (response) => Response.json(((await response.json()) as any).data)),
  },
  {
    rule: 'envelope.shape',
    defect: 'success is a word',
    layer: altering(/\/countries$/, (body) => (body.success = 'true')),
  },
  {
    rule: 'envelope.shape',
    defect: 'a refusal has no data',
    options: { only: ['envelope.shape', 'facilities.path.facilityId'] },
    layer: refused(({ success, message }) => ({ success, message })),
  },
  {
    rule: 'envelope.success-true',
    defect: 'v2 answers with data and without success',
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
