import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { openapi, rules } from '../../contract/index.js';
import type { Desk } from './desk.js';
import { packageFile, packageFolder } from '../package-files.js';
import { ToolError } from './tool.js';
import { ruleView } from './tools/rules.js';

/** Maximum of completions that the protocol passes on. */
const MOST_COMPLETIONS = 100;

/** What a host can attach to a conversation: the rules, the OpenAPI document and the documentation. */
export function registerResources(server: McpServer, desk: Desk): void {
  const json = 'application/json';
  server.registerResource(
    'openapi',
    'teebox://openapi.json',
    { title: 'OpenAPI document of the service', mimeType: json },
    ({ href }) => ({ contents: [{ uri: href, mimeType: json, text: openapi }] }),
  );
  const ruleIds = rules.map(({ id }) => id);
  const rule = new ResourceTemplate('teebox://rules/{id}', {
    list: undefined,
    complete: { id: (begun) => ruleIds.filter((id) => id.startsWith(begun)).slice(0, MOST_COMPLETIONS) },
  });
  server.registerResource(
    'rule',
    rule,
    { title: 'A rule of the document', description: 'With its source and its open question.', mimeType: json },
    async ({ href }, { id }) => {
      const found = rules.find((one) => one.id === id);
      if (!found) throw new ToolError(`There is no rule \`${String(id)}\`. The tool find_rules finds rules.`);
      const answers = new Map((await desk.logins.questions()).map((one) => [one.id, one.answer]));
      return { contents: [{ uri: href, mimeType: json, text: JSON.stringify(ruleView(found, answers), null, 2) }] };
    },
  );
  registerDocs(server);
}

function registerDocs(server: McpServer): void {
  const mimeType = 'text/markdown';
  const pages = async (): Promise<string[]> => {
    const files = await packageFolder('docs');
    return files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -'.md'.length));
  };
  const template = new ResourceTemplate('teebox://docs/{page}', {
    list: async () => ({
      resources: (await pages()).map((page) => ({ uri: `teebox://docs/${page}`, name: page, mimeType })),
    }),
    complete: { page: async (begun) => (await pages()).filter((page) => page.startsWith(begun)) },
  });
  server.registerResource(
    'docs',
    template,
    { title: 'Documentation of Teebox', mimeType },
    async ({ href }, { page }) => {
      const known = await pages();
      if (!known.includes(String(page))) {
        throw new ToolError(`There is no page \`${String(page)}\`. The pages are ${known.join(', ')}.`);
      }
      return { contents: [{ uri: href, mimeType, text: (await packageFile(`docs/${String(page)}.md`)).toString() }] };
    },
  );
}
