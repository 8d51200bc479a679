import type { ServiceFailure } from '../partner/failure.js';
import { breaking, type ClientMutant, type Mutated } from './mutant.js';

const sameRefusal = 'an old refresh token is both not the newest and used before';

export const tokenMutants: readonly ClientMutant[] = [
  ...breaking('tokens.newest', [
    {
      name: 'keeps-first-refresh-token',
      does: 'It refreshes with the initial refresh token each time.',
      also: { 'tokens.no-reuse': sameRefusal },
      exams: ['token-expired-twice'],
      plant({ partner: { transport } }) {
        const { tokens } = transport;
        const first = tokens.newest;
        tokens.renew = () => {
          tokens.newest = first;
          return tokens.refresh();
        };
      },
    },
  ]),
  ...breaking(
    'tokens.no-reuse',
    ['refresh-token-used', 'refresh-lost'].map((exam) => ({
      name: `falls-back-to-an-old-refresh-token-in-${exam}`,
      does: 'When its newest refresh token is refused, it tries the one before it.',
      also: { 'tokens.newest': sameRefusal },
      exams: [exam],
      plant({ partner: { transport } }: Mutated) {
        const { tokens } = transport;
        const exchange = tokens.exchange.bind(tokens);
        let before: string | undefined;
        tokens.exchange = async (token) => {
          try {
            const set = await exchange(token);
            before = token;
            return set;
          } catch (error) {
            if (before === undefined || (error as ServiceFailure).kind !== 'unauthorized') throw error;
            return exchange(before);
          }
        };
      },
    })),
  ),
  ...breaking('tokens.on-expiry', [
    {
      name: 'never-refreshes-again',
      does: 'It gives up when its access token has expired.',
      exams: ['token-expired'],
      plant({ partner: { transport } }) {
        transport.tokens.isDue = () => transport.tokens.access === undefined;
        transport.isTokenRefused = () => false;
      },
    },
  ]),
  ...breaking('tokens.not-each-call', [
    {
      name: 'refreshes-before-each-call',
      does: 'It gets a new access token for each call.',
      exams: ['happy-day'],
      plant({ partner: { transport } }) {
        transport.tokens.isDue = () => true;
      },
    },
  ]),
  ...breaking('tokens.one-at-a-time', [
    {
      name: 'refreshes-for-each-parallel-call',
      does: 'Calls that begin at the same time without an access token refresh with the same token, each for itself.',
      exams: ['slow'],
      plant({ partner: { transport, catalogue }, day }) {
        transport.tokens.renew = () => transport.tokens.refresh();
        const open = day.open.bind(day);
        day.open = async () => {
          await Promise.allSettled([catalogue.countries(), catalogue.countries()]);
          await open();
        };
      },
    },
  ]),
];
