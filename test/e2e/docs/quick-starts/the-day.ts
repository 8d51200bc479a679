const teeTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:00, .+: \d+(\.\d+)? [A-Z]{3} for two$/;
const listed = /^in the list: TBX-\d+-\d+-[0-9A-Z]{6}, BOOKED$/;

/** The lines that each program of the quick starts prints. */
const want: readonly RegExp[] = [
  /^access token for 3600 s$/,
  /^\d+ countries, \d+ connected facilities in Spain$/,
  teeTime,
  listed,
  /^payment confirmed$/,
  teeTime,
  /^failed: Payment \(PI\) has failed\. /,
  listed,
  /^payment confirmed$/,
  /^callback with [1-5] facilities$/,
];

/** What is wrong with the output of a program. */
export function problemsOfDay(output: string): string[] {
  const lines = output.trim().split('\n');
  const wrong = want.flatMap((pattern, index) =>
    pattern.test(lines[index] ?? '') ? [] : [`${lines[index]} is not ${pattern}`],
  );
  return [...wrong, ...lines.slice(want.length).map((line) => `${line} is one line too many`)];
}
