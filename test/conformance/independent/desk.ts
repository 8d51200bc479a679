import { localTime } from './civil.js';
import { type Club, clubs, connections } from './clubs.js';

/** What the deployment needs from the machine that it runs on. */
export interface Surroundings {
  now(): number;
  schedule(work: () => void, milliseconds: number): void;
  /** The status that the address answers with. */
  post(url: string, message: Message): Promise<number>;
}

/** What is posted to a callback address. */
export interface Message {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Channel {
  readonly name: string;
  readonly password: string;
  readonly refreshToken: string;
}

/** One request that is authenticated. */
export interface Ask {
  readonly channel: Channel;
  readonly version: number;
  readonly query: URLSearchParams;
  /** Parts of the path. */
  readonly args: readonly string[];
  /** The parsed body, null without one. */
  readonly body: unknown;
}

/** An answer other than success. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export const channels: readonly Channel[] = [
  { name: 'north', password: 'n0rth-pass', refreshToken: 'c0ffee00-0000-4000-8000-000000000001' },
  { name: 'south', password: 's0uth-pass', refreshToken: 'c0ffee00-0000-4000-8000-000000000002' },
];

/**
 * The lowest layer of the deployment. Each resource extends the one below it; every step is a method, so that a
 * variation replaces one of them on an instance.
 */
export class Desk {
  clubs: readonly Club[] = clubs;
  channels: readonly Channel[] = channels;

  constructor(readonly around: Surroundings) {}

  isConnected(channel: Channel, club: Club): boolean {
    return connections[channel.name]!.includes(club.id);
  }

  /** The local time of a facility. */
  localNow(club: Club): string {
    return localTime(this.around.now(), club.zone);
  }

  findClub(id: string | number): Club {
    const text = String(id);
    const club = /^\d+$/.test(text) ? this.clubs.find((one) => one.id === Number(text)) : undefined;
    if (!club) throw /^\d+$/.test(text) ? this.unknown('facility') : this.invalid('facilityId', 'an integer');
    return club;
  }

  /** A facility whose tee times the channel may read. */
  findOwnClub(channel: Channel, id: string | number): Club {
    const club = this.findClub(id);
    if (!this.isConnected(channel, club)) throw this.unknown('facility');
    return club;
  }

  unknown(what: string): Refused {
    return new Refused(404, `This ${what} does not exist.`);
  }

  invalid(name: string, wanted: string): Refused {
    return new Refused(400, `The parameter ${name} must be ${wanted}.`);
  }

  /** A parameter that is required. */
  given(query: URLSearchParams, name: string): string {
    const value = query.get(name);
    if (value === null || value === '') throw this.invalid(name, 'given');
    return value;
  }

  /** An integer parameter within a range or among values. */
  integer(query: URLSearchParams, name: string, fits: (value: number) => boolean, wanted: string): number {
    const text = this.given(query, name);
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!fits(value)) throw this.invalid(name, wanted);
    return value;
  }

  /** A boolean parameter; absent is false. */
  flag(query: URLSearchParams, name: string): boolean {
    const value = query.get(name);
    if (value !== null && value !== 'true' && value !== 'false') throw this.invalid(name, 'true or false');
    return value === 'true';
  }
}
