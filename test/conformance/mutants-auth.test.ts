import { expect, test } from 'vitest';
import { authMutants } from './mutants/auth.js';
import { callbackMutants } from './mutants/callback.js';
import { run } from './mutants/kill.js';
import { searchMutants } from './mutants/search.js';
import { tokenMutants } from './mutants/tokens.js';
import { versionMutants } from './mutants/versions.js';

const all = [...authMutants, ...versionMutants, ...searchMutants, ...callbackMutants, ...tokenMutants];
test.each(all)('$rule finds that $defect', async (mutant) => {
  expect((await run(mutant)).survived).toBeUndefined();
});
