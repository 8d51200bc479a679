/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses JSON; a text that is none gives `otherwise`. */
export function parsedJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** A text with its percent codes decoded, or as it is where they are wrong. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
