import { PageHead } from '../../parts/page.js';
import { world } from '../../data/base.js';
import { Channels } from './channels.js';
import { FirstCall } from './first-call.js';
import { Links } from './links.js';
import { Running } from './running.js';
import { Worlds } from './worlds.js';

/** What runs here, and how to reach it. */
export default function Start() {
  return (
    <>
      <PageHead
        title="Start"
        about={
          <>
            {world === undefined ? 'The main world' : `The world ${world}`} of this sandbox, with everything that a
            first call needs.
          </>
        }
      />
      <div class="stack start">
        <Running />
        <FirstCall />
        <Links />
        <Channels />
        {world === undefined && <Worlds />}
      </div>
    </>
  );
}
