import { hrefOf } from '../../data/route.js';
import { Card } from '../../parts/page.js';

const links: readonly (readonly [page: string, title: string, about: string])[] = [
  ['requests', 'Watch the requests', 'each with the rules that decided, and the scenario that struck'],
  ['tee-sheet', 'Look at a tee sheet', 'who holds what; book, cancel and sell out from the grid'],
  ['bookings', 'Find a booking', 'with its requests, payments and callbacks'],
  ['scenarios', 'Make it fail', 'at the step of a booking that you choose; arm it by a click'],
  ['callbacks', 'Receive callbacks', 'in an inbox of the sandbox; see every attempt'],
  ['clock', 'Move the clock', 'to the next expiry, closed cancellation or retry'],
  ['conformance', 'Read a report', 'of what teebox check says of a deployment'],
];

/** Where to go from here. */
export function Links() {
  return (
    <Card title="Go on">
      <ul class="links">
        {links.map(([page, title, about]) => (
          <li key={page}>
            <a href={hrefOf([page])}>{title}</a>
            <p class="about">{about}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
