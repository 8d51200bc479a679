/** Below this length the search of the engine is fast, whatever it is searched in. */
const SHORT = 128;

/**
 * A text with each occurrence of a part replaced. `replaceAll` takes the product of both lengths where they are chosen
 * for that, such as by a deployment that issues its own tokens; this takes their sum (Knuth, Morris, Pratt).
 */
export function replacedAll(text: string, part: string, by: string): string {
  if (part.length <= SHORT) return text.replaceAll(part, by);
  const borders = bordersOf(part);
  let [replaced, start, matched] = ['', 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== sign) matched = borders[matched - 1]!;
    if (part.charCodeAt(matched) === sign) matched += 1;
    if (matched < part.length) continue;
    replaced += text.slice(start, at + 1 - part.length) + by;
    [start, matched] = [at + 1, 0];
  }
  return start === 0 ? text : replaced + text.slice(start);
}

/** For each beginning of a text, the length of the longest shorter beginning that it also ends with. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  for (let at = 1, matched = 0; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== text[matched]) matched = borders[matched - 1]!;
    if (text[at] === text[matched]) matched += 1;
    borders[at] = matched;
  }
  return borders;
}
