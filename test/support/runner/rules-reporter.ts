import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

const named = /\[([a-z][\w.\- ]*)\]$/;

/**
 * Prints how many rules of the catalogue the run exercised, of all that can be seen from outside, and fails a
 * whole run that left one out.
 */
export default class RulesReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    // Loaded here because the build that starts the run makes it.
    const { rules } = await import('../../../src/contract/generated/built/catalogue.js');
    const exercised = new Set<string>();
    for (const module of modules) {
      for (const test of module.children.allTests('passed')) for (const id of idsOf(test)) exercised.add(id);
    }
    const observable = rules.filter((rule) => rule.observable);
    const missing = observable.filter(({ id }) => !exercised.has(id));
    const hidden = rules.length - observable.length;
    const summary = `Rules exercised: ${observable.length - missing.length} of ${observable.length} that can be seen from outside`;
    this.#vitest?.logger.log(`\n ${summary} (${hidden} more cannot be seen).`);
    if (missing.length === 0 || (await this.#isPartial(modules.length))) return;
    this.#vitest?.logger.log(` Not exercised: ${missing.map(({ id }) => id).join(', ')}`);
    process.exitCode = 1;
  }

  /** A run of chosen wings, files or names says nothing of the rest. */
  async #isPartial(ran: number): Promise<boolean> {
    const all = await this.#vitest!.globTestSpecifications();
    const { testNamePattern, project, shard } = this.#vitest!.config;
    return Boolean(testNamePattern || shard || process.env['TEEBOX_TENTH']) || project.length > 0 || ran < all.length;
  }
}

function idsOf(test: TestCase): string[] {
  return named.exec(test.name)?.[1]?.split(' ') ?? [];
}
