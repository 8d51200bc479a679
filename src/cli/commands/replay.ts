import { defined } from '../../common/index.js';
import { ArchiveReader, replayExchanges } from '../../conformance/index.js';
import { nodeHost } from '../node-host.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import { type CheckValues, evaluationOptionsOf, inBytes, openOutput } from './evaluation.js';
import type { Environment } from '../network/proxy.js';
import { readJson } from '../json-file.js';

/** Checks recorded traffic and returns the exit code. The default base URL is inferred from the recording. */
export async function replayCommand(
  file: string,
  baseUrl: string | undefined,
  values: CheckValues,
  terminal: Terminal,
  env: Environment,
): Promise<number> {
  if (values.plan)
    throw new UsageError('--replay sends no requests, so --plan has nothing to show. Use one or the other.');
  const maxEvidence = inBytes(values['max-evidence']);
  const reader = new ArchiveReader(maxEvidence);
  const exchanges = await readJson(file, 'recording', (value) => reader.end(value), reader.take);
  const output = await openOutput(values, terminal, env);
  const report = await replayExchanges(exchanges, {
    host: nodeHost,
    onEvent: output.onEvent,
    ...defined({ baseUrl, maxEvidence, runId: reader.runId }),
    ...(await evaluationOptionsOf(values)),
  });
  return output.finish(report);
}
