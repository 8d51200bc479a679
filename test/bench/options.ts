import { parseArgs } from 'node:util';

export interface Options {
  readonly only: readonly string[];
  /** Default: as many as the part needs. */
  readonly rounds: number | undefined;
  readonly json: string | undefined;
  /** Whether the figures go into the page of the documentation. */
  readonly page: boolean;
  readonly profile: string | undefined;
}

/** The names of parts: those that run if none is asked for, those that run only then, and those of the page. */
interface PartNames {
  readonly usual: readonly string[];
  readonly asked: readonly string[];
  readonly ofPage: readonly string[];
}

/** @throws {Error} when a flag is wrong. */
export function readOptions({ usual, asked, ofPage }: PartNames): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      json: { type: 'string' },
      page: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  const only = values.only ?? (values.page ? ofPage : usual);
  const parts = [...usual, ...asked];
  const stray = only.find((part) => !parts.includes(part));
  if (stray) throw new Error(`There is no part \`${stray}\`. Please choose from ${parts.join(', ')}.`);
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && (!Number.isInteger(rounds) || rounds < 1))
    throw new Error('`--rounds` must be a whole number, at least 1.');
  return { only, rounds, json: values.json, page: values.page, profile: values.profile };
}
