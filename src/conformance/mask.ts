/** What stands in place of a secret. */
export const MASK = '***';
const secretHeader = /(?:authorization|cookie2?|signature|credentials?|token|password|secret|api[-_]?key)$/i;
const secretMember = /("[^"]*(?:token|password|secret|api_?key)"\s*:\s*")[^"\\]*/gi;
const secretParameter = /((?:token|password|secret|api_?key)=)[^&#\s"]*/gi;
/** A quick look for what the two above seek slowly. */
const secretName = /token|password|secret|api_?key/i;
const userInfo = /\/\/[^/?#\s"]+@/g;
const scheme = /^(basic|bearer|digest) /i;
/** Shorter values would also hide harmless text. */
const LEAST = 6;

/** Hides secrets in what is recorded: those it was told of, wherever they stand, and what is named like one. */
export class Masker {
  readonly #known = new Set<string>();

  /** Tells of a secret. */
  learn(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) if (secret && secret.length >= LEAST) this.#known.add(secret);
  }

  text(text: string): string {
    let masked = text;
    if (secretName.test(text)) masked = masked.replace(secretMember, `$1${MASK}`).replace(secretParameter, `$1${MASK}`);
    masked = masked.replace(userInfo, `//${MASK}@`);
    for (const secret of this.#known) masked = masked.replaceAll(secret, MASK);
    return masked;
  }

  /** As {@link text}, for what may have been cut: the start of a secret before the dots is hidden too. */
  cut(text: string): string {
    return this.text(text).replace(/[^\s"'\\]+(?=\.\.\.)/g, (end) => {
      for (const secret of this.#known) {
        for (let kept = Math.min(secret.length, end.length); kept >= LEAST; kept -= 1) {
          if (end.endsWith(secret.slice(0, kept))) return end.slice(0, -kept) + MASK;
        }
      }
      return end;
    });
  }

  headers(headers: Headers): Record<string, string> {
    return Object.fromEntries([...headers].map(([name, value]) => [name, this.#header(name, value)]));
  }

  #header(name: string, value: string): string {
    if (/-authenticate$/i.test(name)) return value;
    const kept = scheme.exec(value)?.[1];
    if (kept !== undefined) return `${kept} ${MASK}`;
    return secretHeader.test(name) ? MASK : this.text(value);
  }
}
