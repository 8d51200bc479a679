import { closest } from '../../common/index.js';
import { defineCommand } from '../commands/command.js';
import { columns } from './usage.js';
import { packageFile } from '../package-files.js';
import { UsageError } from '../usage-error.js';
import { pageText, partOf, type TopicName, topicNames, topics } from './page-text.js';

export const command = defineCommand({
  usage: 'help [TOPIC | COMMAND]',
  what: 'Explains a topic, from the pages of the documentation. Without a topic, it lists commands and topics.\n`teebox help COMMAND` is `teebox COMMAND --help`.',
  flags: {},
  completes: topicNames,
  async run({ positionals: [name, more], terminal, commands }) {
    if (more !== undefined) throw new UsageError(`Unexpected \`${more}\`: help explains one topic at a time.`);
    if (name === undefined) {
      const uses = Object.values(commands).map(({ usage, summary }) => [usage, summary] as const);
      const explained = topicNames.map((topic) => [topic, topics[topic].summary] as const);
      terminal.out(`Commands (teebox COMMAND --help):\n\n${columns(uses, terminal.width)}\n`);
      terminal.out(`Topics (teebox help TOPIC):\n\n${columns(explained, terminal.width)}`);
      return 0;
    }
    terminal.out(await textOf(topicOf(name, Object.keys(commands))));
    return 0;
  },
});

function topicOf(name: string, commands: readonly string[]): TopicName {
  const topic = topicNames.find((one) => one === name);
  if (topic) return topic;
  const words = [...topicNames, ...commands];
  const guess = words.find((one) => one.startsWith(name)) ?? closest(name, words);
  const hint = guess ? `Did you mean ${guess}?` : 'Run `teebox help` for the list.';
  throw new UsageError(`There is no topic ${name}. ${hint}`);
}

async function textOf(name: TopicName): Promise<string> {
  const { file, ...topic } = topics[name];
  const page = (await packageFile(`dist/docs/${file}`)).toString();
  return pageText(partOf(page, 'heading' in topic ? topic.heading : undefined) ?? page);
}
