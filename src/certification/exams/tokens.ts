import type { Exam } from '../exam.js';
import { failBookings } from './failing.js';

/** Access tokens that expire, and refresh tokens that are lost. They do not affect a client with Basic credentials. */
export const tokenExams: readonly Exam[] = [
  {
    id: 'token-expired',
    title: 'The access token expires in the middle',
    does: 'The access token expires before the third call that carries it.',
    shows: ['tokens.on-expiry', 'tokens.newest'],
    needs: ['tokens'],
    arrange: ({ scenarios }) => void scenarios.arm('token-expired', { after: 2 }),
  },
  {
    id: 'token-expired-twice',
    title: 'Access tokens expire again and again',
    does: 'The access token expires before the second call that carries it, and its successor before the fifth.',
    shows: ['tokens.on-expiry', 'tokens.newest', 'tokens.no-reuse'],
    needs: ['tokens'],
    arrange: ({ scenarios }) => void scenarios.arm('token-expired', { steps: ['ok', 'fail', 'ok', 'ok', 'fail'] }),
  },
  {
    id: 'token-expired-at-booking',
    title: 'The access token expires before a booking',
    does: 'The access token expires before the first booking, which is refused with 401. Nothing is booked.',
    shows: ['tokens.on-expiry'],
    needs: ['tokens', 'bookings'],
    arrange: (sandbox) => failBookings(sandbox, 'token-expired'),
  },
  {
    id: 'strict-tokens',
    title: 'A refresh revokes the access token before it',
    does: 'Each refresh revokes the access token before it, and a used refresh token revokes the whole chain.',
    shows: ['tokens.newest', 'tokens.no-reuse'],
    answers: { 'token.old-access': 'revoked', 'token.reuse': 'family-revoked' },
    needs: ['tokens'],
    arrange: ({ scenarios }) => void scenarios.arm('token-expired', { after: 2 }),
  },
  {
    id: 'refresh-unreachable',
    title: 'A refresh does not reach the service',
    does: 'The connection breaks before the service reads the first refresh, so its refresh token stays unused.',
    shows: ['robust.outage'],
    needs: ['tokens'],
    arrange: ({ scenarios }) => {
      scenarios.arm('connection-reset', { operation: 'refreshToken', phase: 'before-commit' });
    },
  },
  {
    id: 'refresh-token-used',
    title: 'The refresh token was already used',
    does: 'The access token expires, and somebody else has used the refresh token. Only the operator can help then.',
    shows: ['tokens.no-reuse'],
    needs: ['tokens'],
    arrange: ({ scenarios }) => {
      scenarios.arm('token-expired', { after: 2 });
      scenarios.arm('refresh-token-used', { after: 1 });
    },
  },
  {
    id: 'refresh-lost',
    title: 'The answer to a refresh is lost',
    does: 'The access token expires, and the answer to the refresh after that is lost with the new tokens.',
    shows: ['tokens.no-reuse'],
    needs: ['tokens'],
    arrange: ({ scenarios }) => {
      scenarios.arm('token-expired', { after: 2 });
      scenarios.arm('connection-reset', { operation: 'refreshToken', phase: 'after-commit', after: 1 });
    },
  },
];
