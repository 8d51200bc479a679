/** Thrown for a call of the admin API that was refused or that did not arrive. */
export class AdminError extends Error {
  override readonly name = 'AdminError';

  constructor(
    message: string,
    /** The status of the response; 0 if there was none. */
    readonly status: number,
    /** What would fit, if the API says so. */
    readonly fits: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
