import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  baselineOfClient,
  certificateHtml,
  type Certification,
  certifyAnnotations,
  type CertifyEvent,
  certifyReporters,
  CertifyTerminal,
  RunTraffic,
} from '../../certification/index.js';
import { visibleJson } from '../../common/index.js';
import type { Values } from '../args.js';
import type { Environment } from '../network/proxy.js';
import { openResultFiles } from '../result-files.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import type { certifyFlags } from './flags.js';

export type CertifyValues = Values<typeof certifyFlags>;

/** The output of a run. */
export interface CertifyOutput {
  readonly onEvent: (event: CertifyEvent) => void;
  /** Writes a line while exams go on, without breaking the progress line. */
  readonly tell: (line: string) => void;
  /** Writes what the command has printed in an exam, when that exam is reported. */
  readonly printed: (exam: string, lines: readonly string[]) => void;
  readonly line: (line: string) => void;
  /** Writes reports, certificates and the baseline. */
  finish(certification: Certification): Promise<void>;
}

/**
 * Opens the terminal output and the files for the results of a run of `certify`.
 *
 * @throws {UsageError} if a file cannot be written, before the first exam.
 */
export async function openCertifyOutput(
  values: CertifyValues,
  terminal: Terminal,
  env: Environment,
): Promise<CertifyOutput> {
  const { report: reports = [], certificate: certificates = [], 'write-known': baseline } = values;
  const named = [...reports, ...certificates].map(({ file }) => file);
  const files = await openResultFiles(baseline === undefined ? named : [...named, baseline], terminal);
  const { line, progress, write } = files;
  const keepCapsules = await capsuleFolder(values.capsules);
  const tell = (text: string): void => {
    progress?.('');
    terminal.err(text);
  };
  const summary = new CertifyTerminal(files, tell, values.jobs);
  const traffic = new RunTraffic();
  const keepsTraffic = reports.some(({ format }) => format === 'har');
  const json = (value: unknown) => (): string => `${visibleJson(value, 2)}\n`;
  const isBeside = (values.jobs ?? 1) > 1;
  const waiting = new Map<string, readonly string[]>();
  return {
    tell,
    line,
    printed(exam, lines) {
      if (isBeside) waiting.set(exam, lines);
      else lines.forEach(tell);
    },
    onEvent(event) {
      if (event.type === 'exam' && event.state === 'ended') waiting.get(event.exam)?.forEach(tell);
      if (keepsTraffic && 'exchange' in event && event.exchange) traffic.keep(event.exchange);
      if (event.type === 'end' && event.mask) traffic.maskAgain(event.mask);
      summary.onEvent(event);
    },
    async finish(whole) {
      // They are files of their own: a certificate stays a page that can be read.
      const certification = { ...whole, capsules: {} };
      await keepCapsules(whole.capsules);
      if (env['GITHUB_ACTIONS'] === 'true') certifyAnnotations(certification).forEach(line);
      const texts = [
        ...reports.map(
          ({ format }) =>
            () =>
              certifyReporters[format](certification, traffic.exchanges),
        ),
        ...certificates.map(({ format }) =>
          format === 'json' ? json(certification) : () => certificateHtml(certification),
        ),
        ...(baseline === undefined ? [] : [json(baselineOfClient(certification.obligations))]),
      ];
      await write(texts);
    },
  };
}

/**
 * Writes capsules to a folder, which is made if it does not exist; without a folder, none.
 *
 * @throws {UsageError} if it cannot be made.
 */
async function capsuleFolder(folder: string | undefined): Promise<(all: Certification['capsules']) => Promise<void>> {
  if (folder === undefined) return async () => {};
  await mkdir(folder, { recursive: true }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`Failed to make the folder ${folder} for capsules: ${code}.`);
  });
  return async (all) => {
    for (const [exam, capsule] of Object.entries(all)) {
      await writeFile(join(folder, `${exam}.json`), `${JSON.stringify(capsule)}\n`);
    }
  };
}
