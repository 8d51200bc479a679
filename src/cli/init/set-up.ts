import { consoleLine } from '../../common/index.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import { has, lookAt, membersOf, type Project, versionOf } from './project.js';
import type { ToolName } from './test-texts.js';
import { type Found, findOf, type Plan, plansOf, tools } from './test-tools.js';
import { attempt } from './try.js';
import { takeBack, writeAll, type Written } from './write.js';

/**
 * Adds a test for a tool to the project in a folder: looks at what is there, writes what fits, and runs it.
 *
 * @returns whether it passed, or could not be tried yet.
 * @throws {UsageError} where the folder is not the place for tests.
 */
export async function setUp(name: ToolName, folder: string, { out, err }: Terminal): Promise<boolean> {
  const project = lookAt(folder);
  const found = findOf(name, project);
  refuseRoot(name, project, found);
  out(consoleLine(`found ${whatWasFound(name, project, found)}`));
  const plans = await plansOf(name, project, found);
  const needs = missing(name, project, found);
  if (needs.length > 0) {
    // Only a run would tell whether the project's own configuration of Jest loads ES modules.
    const plan = (name === 'jest' ? plans.at(-1) : plans[0])!;
    for (const file of await writeAll(folder, plan.files)) out(lineOf(file));
    out(consoleLine(`  next: ${[...needs, plan.command].join(', then ')}`));
    return true;
  }
  let why = '';
  for (const plan of plans) {
    const written = await writeAll(folder, plan.files);
    const { passed, output } = await attempt(plan.command, folder);
    if (passed) {
      for (const file of written) out(lineOf(file));
      if (plan !== plans[0]) out(consoleLine(`  the configuration of the project does not run it: ${reasonOf(why)}`));
      out(consoleLine(`tried ${plan.command}: passed`));
      out(consoleLine(`  next: ${plan.command}`));
      return true;
    }
    why ||= output;
    await takeBack(folder, written);
    if (written.some(({ kept }) => kept)) throw new UsageError(failedWithKept(plan, written, output));
  }
  err(
    consoleLine(
      `tried ${plans.map(({ command }) => command).join('; ')}: no test passed, so nothing was written. The output of the first:`,
    ),
  );
  for (const line of why.split('\n')) err(consoleLine(`  ${line}`));
  return false;
}

function lineOf({ path, kept }: Written): string {
  return consoleLine(kept ? `kept  ${path}, which exists` : `wrote ${path}`);
}

/** The line of an output that says most. */
function reasonOf(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    // Jest gives the reason below its headlines.
    .filter((line) => line !== '' && !/^(FAIL|●) /.test(line));
  return (
    lines.find((line) => /^\w*Error: /.test(line)) ??
    lines.find((line) => /error|no tests?\b|not found|must use|cannot|failed/i.test(line)) ??
    lines[0] ??
    'it printed nothing'
  );
}

function failedWithKept({ command }: Plan, written: readonly Written[], output: string): string {
  const kept = written.filter((file) => file.kept).map(({ path }) => path);
  return `\`${command}\` fails: ${reasonOf(output)}. ${kept.join(' and ')} existed and was kept; rename or correct it, then run \`teebox init\` again.`;
}

function whatWasFound(name: ToolName, project: Project, { configs, tests, used }: Found): string {
  const { title, package: pack } = tools[name];
  const version = versionOf(project, pack);
  const tool =
    version === undefined ? (used ? `${title}, which is not installed` : `no ${title}`) : `${title} ${version}`;
  const like =
    tests.length > 0 ? `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}, such as ${tests[0]}` : 'no tests';
  return [project.manager.name, tool, ...configs, like].join('; ');
}

/** What has to be installed before the test can run. */
function missing(name: ToolName, project: Project, { used }: Found): string[] {
  const { package: pack, installs } = tools[name];
  const teebox = has(project, 'teebox') ? [] : ['install Teebox in this folder (docs/command-line.md, Install)'];
  const needed = used ? [pack] : installs.split(' ');
  const lacking = needed.filter((one) => !has(project, one));
  const tool = lacking.length > 0 ? [`${project.manager.add} ${lacking.join(' ')}`] : [];
  return [...teebox, ...tool];
}

/** The root of a monorepo has no tests of its own, unless it has a configuration for them. */
function refuseRoot(name: ToolName, project: Project, { used }: Found): void {
  const members = membersOf(project);
  if (used || members.length === 0) return;
  const some = members.slice(0, 5).join(', ');
  throw new UsageError(
    `This is the root of a monorepo without ${tools[name].title}. Run \`teebox init ${name}\` in the package whose tests need a sandbox: ${some}.`,
  );
}
