import { expect, test } from 'vitest';
import { rules } from '../../../../src/contract/generated/built/catalogue.js';
import { defects } from '../../independent/defects/index.js';
import type { Defect } from '../../independent/defects/row.js';
import { all, deployIndependent } from '../../independent/run.js';

/** The rules that are to name a defect; the others would only take their time. */
const naming = (names: RegExp): string[] => rules.map(({ id }) => id).filter((id) => names.test(id));

/** Mistakes that no rule finds yet. */
const unseen: readonly string[] = [
  // The document leaves the order of the price records open.
  'pages in an order of chance',
];
const wanted = defects.filter(({ name }) => !unseen.includes(name));

async function finds({ change, how, isMinor }: Defect, only?: readonly string[]): Promise<boolean> {
  const options = { ...(how === 'reading' ? {} : all), ...(only ? { only } : {}) };
  const { exitCode, counts } = await deployIndependent(change).check(options);
  return isMinor ? counts.warn > 0 : exitCode === 1;
}

// Some are seen only among the requests of a whole run.
test.each(wanted.map((one) => [one.name, one] as const))('the suite finds: %s', async (_, one) => {
  expect((await finds(one, naming(one.names))) || (await finds(one))).toBe(true);
});

for (const name of unseen) test.todo(`the suite finds: ${name}`);
