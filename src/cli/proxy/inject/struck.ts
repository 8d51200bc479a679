import type { Answers } from '../../../contract/index.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { forward, passAnswer } from '../wire/forward.js';
import type { Transit } from '../wire/transit.js';
import type { ProxyTarget } from '../wire/target.js';
import { unreachableAnswer } from '../wire/unreachable.js';
import type { Injection } from './injector.js';
import {
  endsBefore,
  type Made,
  onlyDelays,
  readWhole,
  replacement,
  scenarioHeader,
  sendBroken,
  waitAfter,
  waitBefore,
} from './strike.js';

/** Leads an exchange that scenarios strike. */
export async function struck(
  target: ProxyTarget,
  transit: Transit,
  injections: readonly Injection[],
  answers: Answers,
): Promise<void> {
  const { response } = transit;
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const pause = (milliseconds: number): Promise<void> =>
    sleep(milliseconds, undefined, { signal: gone.signal }).catch(() => {});
  const wasSent = !endsBefore(injections);
  const scenarios = injections.map(({ scenario }) => scenario.id);
  transit.injected = { scenarios, wasSent, changed: !onlyDelays(injections) };
  const refused = replacement(injections, answers);
  const finish = async (made: Made | undefined): Promise<void> => {
    const late = waitAfter(injections);
    if (late > 0) await pause(late);
    if (!gone.signal.aborted) await sendBroken(transit, refused ?? made, injections, pause);
  };
  const early = waitBefore(injections);
  if (early > 0) await pause(early);
  if (gone.signal.aborted) return;
  if (!wasSent) return finish(undefined);
  const giveUp = forward(target, transit, {
    answer: (message) => {
      transit.begin(message);
      if (!transit.injected!.changed) {
        void pause(waitAfter(injections)).then(() => {
          if (!gone.signal.aborted) passAnswer(message, transit, scenarioHeader(injections));
        });
      } else readWhole(message, transit).then(finish, () => {});
    },
    unreachable: (error) => unreachableAnswer(transit, target.baseUrl, error),
    lost: (error) => transit.lose(error),
  });
  response.on('close', giveUp);
}
