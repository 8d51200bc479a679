/** A value of JSON that throws wherever it is converted to a number or a text. */
export const inconvertible = { toString: 1, valueOf: 2 };

/** A value of JSON with `inconvertible` at each of its places in turn, alone and in a list, with the name of the place. */
export function atEveryPlace(value: unknown, place = ''): [place: string, changed: unknown][] {
  const here: [string, unknown][] = [
    [place || 'the whole', inconvertible],
    [`${place || 'the whole'} in a list`, [inconvertible]],
  ];
  if (typeof value !== 'object' || value === null) return here;
  const inner = Object.entries(value).flatMap(([name, one]) =>
    atEveryPlace(one, place === '' ? name : `${place}.${name}`).map(([at, changed]): [string, unknown] => [
      at,
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
    ]),
  );
  return [...here, ...inner];
}
