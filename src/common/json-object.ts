/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;
