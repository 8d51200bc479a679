/** A real town of the catalogue's geography. */
export interface Town {
  readonly place: string;
  /** State or province. */
  readonly state: string;
  /** Touristic region. */
  readonly region: string;
  /** Postal code of the town: `#` stands for a digit, `@` for a letter. */
  readonly zipcode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
}

/** What makes a facility plausible in one country: geography, and the parts of names. */
export interface Country {
  readonly name: string;
  readonly language: string;
  readonly currency: string;
  /** Green fee of a middling 18-hole course, in hundredths of the currency. */
  readonly fee: number;
  /** Phone numbers nobody owns: `#` stands for a digit. */
  readonly phone: string;
  readonly highMonths: readonly number[];
  /** Months of snow or heat in which some courses of the country close. */
  readonly closedMonths: readonly number[];
  readonly towns: readonly Town[];
  /** A facility's name is a pattern with `{stem}`, a front and a back joined, and perhaps `{place}`. */
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
