/** The number in an id: 7 of `callback-7`. */
export function numberOf(id: string): number {
  return Number(id.slice('callback-'.length));
}

export function idOf(number: number): string {
  return `callback-${number}`;
}
