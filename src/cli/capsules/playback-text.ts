import { consoleLine, counted } from '../../common/index.js';
import type { Playback } from '../../engine/index.js';

/** Characters of a value that are shown. */
const MOST_SHOWN = 200;
/** Steps that are shown in full. */
const MOST_STEPS = 20;

/** A replay for people. */
export function linesOf(file: string, playback: Playback, version: string): string[] {
  const { same, requests, differences, teebox } = playback;
  const sent = `Replayed ${counted(requests, 'request')} of ${file}`;
  if (same) return [consoleLine(`${sent}: the same responses, byte for byte.`)];
  const count = differences.length === 1 ? '1 step differs' : `${differences.length} steps differ`;
  const lines = [`${sent}: ${count}.`];
  for (const { step, what, differences: places } of differences.slice(0, MOST_STEPS)) {
    lines.push('', `Step ${step}, ${what}`);
    for (const { where, expected, got } of places) {
      lines.push(`  ${where}`, `    expected ${shown(expected)}`, `    got      ${shown(got)}`);
    }
  }
  if (differences.length > MOST_STEPS) lines.push('', `... and ${differences.length - MOST_STEPS} more; see --json.`);
  if (teebox !== version) {
    lines.push('', `Teebox ${teebox} wrote it, and this is ${version}: it may answer otherwise on purpose.`);
  }
  return lines.map(consoleLine);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}... (${text.length} characters)` : text;
}
