/** What the result of an asynchronous search is made from, beside the state. */
export interface ResultQuery {
  readonly facilityIds: readonly number[];
  readonly fromDate: number;
  readonly toDate: number;
  readonly players: number;
  readonly holes: number;
}
