import { breaking, type ClientMutant, rewriteBody } from './mutant.js';

type Json = Readonly<Record<string, unknown>>;

/** Looks at every object of every answer. */
function inspect({ partner: { transport } }: Parameters<ClientMutant['plant']>[0], judge: (value: Json) => void): void {
  const send = transport.send.bind(transport);
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) judge(value as Json);
    for (const one of Object.values(value)) visit(one);
  };
  transport.send = async (request) => {
    const response = await send(request);
    visit(await response.clone().json());
    return response;
  };
}

/** The fields of a tee time, of a product and of a listed booking. */
const known = new Set(
  [
    'teeid time course holes extraProducts products',
    'mid name category available pricing players linkedProducts',
    'quantity price netRate publicRate amount currency',
  ].flatMap((names) => names.split(' ')),
);

export const robustnessMutants: readonly ClientMutant[] = [
  ...breaking('robust.unknown-fields', [
    {
      name: 'refuses-unknown-fields',
      does: 'It fails at a tee time with a field that it does not know.',
      exams: ['unknown-fields'],
      plant: (mutated) =>
        inspect(mutated, (value) => {
          if (!('teeid' in value)) return;
          const stray = Object.keys(value).find((name) => !known.has(name));
          if (stray) throw new TypeError(`unknown field ${stray}`);
        }),
    },
  ]),
  ...breaking('robust.lawful-forms', [
    {
      name: 'takes-only-200',
      does: 'It takes 201, the other success of a new booking, for an error.',
      exams: ['other-success'],
      plant({ partner: { transport } }) {
        const send = transport.send.bind(transport);
        transport.send = async (request) => {
          const response = await send(request);
          if (response.status === 201) throw new TypeError('unexpected status 201');
          return response;
        };
      },
    },
  ]),
  ...breaking('robust.null-optionals', [
    {
      name: 'trips-over-null',
      does: 'It fails at an address of which a line is null.',
      exams: ['null-optionals'],
      plant: (mutated) =>
        inspect(mutated, (value) => {
          if ('zipcode' in value)
            for (const line of Object.values(value)) if (line !== undefined) String.prototype.trim.call(line);
        }),
    },
  ]),
  ...breaking('robust.empty-lists', [
    {
      name: 'trips-over-empty-list',
      does: 'It shows the first picture of a facility without asking whether there is one.',
      exams: ['empty-extras'],
      plant: (mutated) =>
        inspect(mutated, ({ images }) => {
          if (Array.isArray(images)) (images[0] as string).trim();
        }),
    },
  ]),
  ...breaking('robust.non-ascii', [
    {
      name: 'mangles-names',
      does: 'It reads UTF-8 as Latin-1 before it books.',
      exams: ['happy-day'],
      plant: (mutated) =>
        rewriteBody(mutated, /bookings$/, (text) => new TextDecoder('latin1').decode(new TextEncoder().encode(text))),
    },
    {
      name: 'strips-accents',
      does: 'It books courses by their names without accents.',
      exams: ['happy-day'],
      plant: (mutated) =>
        rewriteBody(mutated, /bookings$/, (text) =>
          text.replaceAll(/"(course|round)":"[^"]*"/g, (name) => name.normalize('NFD').replaceAll(/[^\x20-\x7e]/g, '')),
        ),
    },
  ]),
  ...breaking('robust.outage', [
    {
      name: 'hammers-during-outage',
      does: 'It repeats a read many times a second while the service is down.',
      also: { 'limits.backs-off': 'it does not wait' },
      exams: ['long-outage'],
      plant({ partner: { transport } }) {
        const pauseBefore = transport.pauseBefore.bind(transport);
        transport.pauseBefore = (attempt, ...given) => {
          const pause = pauseBefore(Math.min(attempt, 1), ...given);
          return pause === undefined || attempt > 200 ? undefined : 0;
        };
      },
    },
  ]),
];
