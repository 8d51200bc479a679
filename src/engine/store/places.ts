/** A real town of the catalogue's geography. */
export interface Town {
  readonly place: string;
  /** State or province. */
  readonly state: string;
  /** Touristic region. */
  readonly region: string;
  /** The postal code of the town, where `#` is a digit and `@` a letter. */
  readonly zipcode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
}

/** The data for plausible facilities in one country: geography and parts of names. */
export interface Country {
  readonly name: string;
  readonly language: string;
  readonly currency: string;
  /** The green fee of an average 18-hole course, in hundredths of the currency. */
  readonly fee: number;
  /** Unassigned phone numbers, where `#` is a digit. */
  readonly phone: string;
  readonly highMonths: readonly number[];
  /** The months in which some courses of the country close because of snow or heat. */
  readonly closedMonths: readonly number[];
  readonly towns: readonly Town[];
  /** Patterns of facility names with `{stem}` (a front and a back joined) and optionally `{place}`. */
  readonly patterns: readonly string[];
  readonly fronts: readonly string[];
  readonly backs: readonly string[];
  /** Names of the first, second and third course of 18 holes, and of 9 holes. */
  readonly eighteens: readonly string[];
  readonly nines: readonly string[];
  readonly streets: readonly string[];
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
}
