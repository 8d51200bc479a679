/** The value of the header `Teebox-Test`: the name of a test, and which attempt it is. */
export function testHeaderOf(name: string, retry = 0): string {
  // A header has no letters outside ASCII, and a semicolon separates the mark of a mistake on purpose.
  const plain = name.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(';', ',');
  return retry === 0 ? plain : `${plain} (retry ${retry})`;
}
