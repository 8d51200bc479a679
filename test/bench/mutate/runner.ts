// The process that runs tests for `mutate.ts`, in a scratch copy: a Vitest that stays warm from mutation to mutation.
import { createVitest, type Reporter, type TestCase, type TestSpecification } from 'vitest/node';
import type { Choice, Order, Said } from './messages.js';

const [, , root, reached] = process.argv as string[] as [string, string, string, string];
let stops = false;
let failed: string | null = null;

const tell = (said: Said): void => void process.send!(said);

function fail(what: string): void {
  failed ??= what;
  if (stops) void vitest.cancelCurrentRun('test-failure');
}

const reporter: Reporter = {
  onTestCaseResult(test: TestCase) {
    const { state } = test.result();
    if (state !== 'passed' && state !== 'failed') return;
    const { project, module, id, fullName } = test;
    const milliseconds = Math.round(test.diagnostic()?.duration ?? 0);
    const ran = { id, name: fullName, project: project.name, file: module.relativeModuleId, milliseconds };
    tell({ ran: { ...ran, passed: state === 'passed' } });
    if (state === 'failed') fail(`${module.relativeModuleId} > ${fullName}`);
  },
  onTestModuleEnd(module) {
    if (module.errors().length > 0) fail(`${module.relativeModuleId}: ${module.errors()[0]!.message}`);
  },
  onTestSuiteResult(suite) {
    if (suite.errors().length > 0)
      fail(`${suite.module.relativeModuleId} > ${suite.fullName}: ${suite.errors()[0]!.message}`);
  },
};

const vitest = await createVitest('test', {
  root,
  config: `${root}/test/bench/mutate/vitest.config.ts`,
  watch: false,
  reporters: [reporter],
});
await vitest.standalone();

function specificationsOf(choices: readonly Choice[]): TestSpecification[] {
  return choices.flatMap(({ project, file, tests }) => {
    const own = vitest.projects.find(({ name }) => name === project)!;
    return own.createSpecification(`${root}/${file}`, tests ? { testIds: [...tests] } : undefined);
  });
}

async function run({ mutant, choices, paths = [] }: Order): Promise<void> {
  stops = choices !== undefined;
  failed = null;
  vitest.provide('mutant', mutant);
  vitest.provide('reached', stops ? '' : reached);
  const specifications = choices ? specificationsOf(choices) : await vitest.globTestSpecifications([...paths]);
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications, choices === undefined);
  const [unhandled] = unhandledErrors as readonly Error[];
  tell({ done: true, failed: failed ?? (unhandled ? `an unhandled error: ${unhandled.message}` : null) });
}

process.on('message', (order: Order) => void run(order));
process.on('disconnect', () => process.exit());
