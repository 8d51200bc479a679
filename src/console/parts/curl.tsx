import { type Signal, signal } from '@preact/signals';
import { SquareTerminal } from 'lucide';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { AdminAsk } from '../../bindings/index.js';
import { curlOf } from '../data/api.js';
import { toast } from '../data/toasts.js';
import { copyText } from './copy.js';
import { Icon } from './icon.js';
import { Menu } from './menu.js';

interface Offer {
  readonly of: AdminAsk;
  readonly title: string;
  /** The file that the command writes, or sends. */
  readonly file?: string | undefined;
}

type Offers = Signal<readonly { readonly current: Offer }[]>;

/** The calls that a page or a dialog offers as commands: of the page, unless a dialog has its own. */
const Offering = createContext<Offers>(signal([]));

/** Gathers what is offered in a dialog apart from the page behind it. */
export function OwnCurls({ children }: { readonly children: ComponentChildren }) {
  const offers = useMemo(() => signal([]) as Offers, []);
  return <Offering.Provider value={offers}>{children}</Offering.Provider>;
}

/** Offers a call of the admin API as a command, in the menu of its page or dialog. */
export function AsCurl(offer: Offer) {
  const offers = useContext(Offering);
  const latest = useRef(offer);
  latest.current = offer;
  useLayoutEffect(() => {
    offers.value = [...offers.value, latest];
    return () => void (offers.value = offers.value.filter((one) => one !== latest));
  }, [offers]);
  return null;
}

function commandOf({ of, file }: Offer): string {
  if (file === undefined) return curlOf(of);
  return `${curlOf(of)} ${of.method === 'GET' ? `-o ${file}` : `--data-binary @${file}`}`;
}

/** What is offered, each once: rows of a table may offer the same. */
function itemsOf(offers: Offers) {
  const byCommand = new Map(offers.value.map(({ current }) => [commandOf(current), current]));
  return [...byCommand].map(([command, { title, of }]) => ({
    title,
    about: `${of.method} ${of.path}`,
    act: async () => (await copyText(command)) && toast(`Copied as curl: ${title}`),
  }));
}

/** What the page or the dialog shows and does, to be copied as commands. */
export function CurlMenu() {
  const offers = useContext(Offering);
  if (offers.value.length === 0) return null;
  const label = (
    <>
      <Icon of={SquareTerminal} size={14} /> as curl
    </>
  );
  return <Menu label={label} about="Copy as a command:" items={() => itemsOf(offers)} kind="quiet" />;
}
