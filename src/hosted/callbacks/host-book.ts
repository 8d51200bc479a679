import type { operatorComponents as components } from '../../contract/index.js';

/**
 * A host to which the callbacks of a world may go: `partner.example`, or with a port other than 80 and 443,
 * `partner.example:8443`.
 */
export type VerifiedHost = Readonly<components['schemas']['VerifiedHost']>;

/** Keeps the hosts of a world. */
export interface HostStore {
  loadHosts(): readonly VerifiedHost[];
  saveHosts(hosts: readonly VerifiedHost[]): void;
}

const DAY = 86_400_000;
/** Domains change hands, so a proof does not last. */
const VALID = 90 * DAY;
/** Maximum number of hosts of a world. */
export const MOST_HOSTS = 50;

/** The verified hosts of a world. */
export class HostBook {
  #hosts: readonly VerifiedHost[] | undefined;

  constructor(
    readonly store: HostStore,
    readonly now: () => number,
  ) {}

  get hosts(): readonly VerifiedHost[] {
    return (this.#hosts ??= this.store.loadHosts());
  }

  find(host: string): VerifiedHost | undefined {
    return this.hosts.find((one) => one.host === host);
  }

  isValid(host: string): boolean {
    const found = this.find(host);
    return found !== undefined && Date.parse(found.expiresAt) > this.now();
  }

  /** Whether there is room for a host. */
  accepts(host: string): boolean {
    return this.find(host) !== undefined || this.hosts.length < MOST_HOSTS;
  }

  add(host: string): VerifiedHost {
    const now = this.now();
    const added = {
      host,
      verifiedAt: new Date(now).toISOString(),
      expiresAt: new Date(now + VALID).toISOString(),
    };
    this.#save([...this.hosts.filter((one) => one.host !== host), added]);
    return added;
  }

  /** Whether there was one to remove. */
  remove(host: string): boolean {
    const rest = this.hosts.filter((one) => one.host !== host);
    if (rest.length === this.hosts.length) return false;
    this.#save(rest);
    return true;
  }

  #save(hosts: readonly VerifiedHost[]): void {
    this.#hosts = hosts;
    this.store.saveHosts(hosts);
  }
}
