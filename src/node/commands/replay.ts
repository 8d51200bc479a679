import { parseDialectCard } from '../../app/dialect.js';
import { readArchive } from '../../conformance/archive.js';
import { readKnown } from '../../conformance/known.js';
import { replay } from '../../conformance/replay.js';
import { nodeHost } from '../node-host.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import { type CheckValues, type Environment, openOutput, readJson } from './check-output.js';

/** Judges recorded traffic and gives back the exit code. Without a base URL it is told from the recording. */
export async function replayCommand(
  file: string,
  baseUrl: string | undefined,
  values: CheckValues,
  terminal: Terminal,
  env: Environment,
): Promise<number> {
  const { only, skip, strict, plan, known, dialect, 'min-conclusive': minConclusive } = values;
  if (plan) throw new UsageError('--replay sends nothing, so there is nothing to plan; please leave one of them out.');
  const archive = await readJson(file, 'recording', (value) => {
    readArchive(value);
    return value;
  });
  const output = await openOutput(values, terminal, env);
  const report = await replay({
    archive,
    host: nodeHost,
    onEvent: output.onEvent,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(only ? { only } : {}),
    ...(skip ? { skip } : {}),
    ...(strict ? { strict } : {}),
    ...(minConclusive === undefined ? {} : { minConclusive }),
    ...(known === undefined ? {} : { known: await readJson(known, 'baseline', readKnown) }),
    ...(dialect === undefined ? {} : { card: (await readJson(dialect, 'dialect', parseDialectCard)).answers }),
  });
  return output.finish(report);
}
