import { call } from '../../data/api.js';
import { CopyCurl } from '../../parts/copy.js';
import { CopyFileCurl, FileButton, saveFile } from '../../parts/files.js';
import { JsonView } from '../../parts/json-view.js';
import { Card, Facts } from '../../parts/page.js';
import { toast } from '../../data/toasts.js';
import { type CardBody, dialectCall, type OpenQuestion, putCard } from './draft.js';

/** Takes a card from a file, gives it as one, and goes back to the defaults. */
export function CardActions({ card, reload }: { readonly card: CardBody | undefined; readonly reload: () => void }) {
  const put = async (next: CardBody, done: string) => {
    const reason = await putCard(next, done);
    if (reason === undefined) reload();
    else toast(reason, 'bad');
  };
  const take = async (name: string, text: string) => {
    const read = readCard(text);
    if (read === undefined) return toast(`${name} is not JSON. Export a card to see its form.`, 'bad');
    await put(read, `The card of ${name} is in force.`);
  };
  const defaults = { ...(card?.scenarios && { scenarios: card.scenarios }) };
  return (
    <>
      <span class="action">
        <FileButton label="Import a card" accept=".json,application/json" take={take} />
        <CopyFileCurl of={{ method: 'PUT', path: 'dialect' }} file="dialect.json" />
      </span>
      <span class="action">
        <button
          type="button"
          class="button"
          disabled={!card}
          onClick={() => saveFile(`${card!.name ?? 'dialect'}.json`, `${JSON.stringify(card, null, 2)}\n`)}
        >
          Export the card
        </button>
        <CopyFileCurl of={call('GET', 'dialect')} file="dialect.json" />
      </span>
      <span class="action">
        <button
          type="button"
          class="button"
          disabled={!card}
          onClick={() => void put(defaults, 'Every answer is the default.')}
        >
          Back to the defaults
        </button>
        <CopyCurl of={dialectCall(defaults)} bare />
      </span>
    </>
  );
}

function readCard(text: string): CardBody | undefined {
  try {
    return JSON.parse(text) as CardBody;
  } catch {
    return undefined;
  }
}

/** The card in force, in short and whole. */
export function CardFacts({
  card,
  questions,
}: {
  readonly card: CardBody | undefined;
  readonly questions: readonly OpenQuestion[];
}) {
  const answerable = questions.filter(({ kind }) => kind !== 'noted').length;
  const differing = questions.filter(({ differs }) => differs).length;
  return (
    <Card title="The card in force" actions={<CopyCurl of={call('GET', 'dialect')} />}>
      <Facts
        of={[
          ['Name', card ? (card.name ?? (differing === 0 ? 'default' : 'unnamed')) : '…'],
          ['Answers that differ from the default', card ? `${differing} of ${answerable}` : '…'],
          ['Scenarios that always strike', card ? (card.scenarios ?? []).join(', ') || 'none' : '…'],
        ]}
      />
      {card && (
        <details class="dialect-json">
          <summary>The card as JSON</summary>
          <JsonView value={card} name="the dialect card" />
        </details>
      )}
    </Card>
  );
}
