import * as z from 'zod';
import { counted } from '../../../common/index.js';
import type { AdminSchema } from '../admin-schema.js';
import type { ToolContext } from '../tool-context.js';
import { excerptOf } from '../excerpt.js';
import { changesSandbox, defineTool, lines, readsSandbox, ToolError } from '../tool.js';

const MOST_EVENTS = 15;

export const sandboxStatus = (context: ToolContext) =>
  defineTool({
    name: 'sandbox_status',
    title: 'Show the sandbox',
    description:
      'The base URL and the credentials of the sandbox for the client under test, its clock, dialect, armed plans and ' +
      'number of requests. Use it first, and to configure the client.',
    input: {},
    hints: readsSandbox,
    run: async () => {
      const { admin, baseUrl, command } = context;
      const [version, channels, clock, plans, chaos, requests] = await Promise.all([
        admin.version(),
        admin.channels(),
        admin.clock.get(),
        admin.plans(),
        admin.chaos.get(),
        admin.requests(),
      ]);
      const dialect = excerptOf(
        await context.send<AdminSchema<'DialectCard'>>({ method: 'GET', path: 'dialect' }),
      ).value;
      const inbox = admin.callbacks.inboxUrl('agent');
      const facts = { baseUrl, console: `${baseUrl}/__admin/`, inbox, ...version, clock, channels, dialect };
      return {
        text: lines(
          `Base URL: ${baseUrl} (a person can open it in a browser to follow along)`,
          channels.map(channelLine),
          clockLine(clock),
          `World: ${version.facilities} facilities, seed ${version.seed}; ${version.operations} operations, ${version.rules} rules`,
          `Dialect: ${JSON.stringify(dialect)}`,
          `A callbackUrl that needs no receiver: ${inbox}`,
          `${counted(requests.length, 'request')} in the journal; ${counted(plans.length, 'plan')}; chaos ${chaos ? 'on' : 'off'}`,
          command.length > 0 && `Command of the client's tests: ${command.join(' ')}`,
        ),
        data: { ...facts, plans, chaos, requests: requests.length, command },
      };
    },
  });

function channelLine({
  name,
  username,
  password,
  refreshToken,
  revoked,
}: AdminSchema<'ChannelList'>['channels'][number]) {
  const basic = revoked ? 'user name and password revoked' : `${username}:${password}`;
  return `Channel ${name}: ${basic}; refresh token ${refreshToken ?? 'revoked'}`;
}

export const moveClock = (context: ToolContext) =>
  defineTool({
    name: 'move_clock',
    title: 'Move the clock',
    description:
      'Moves, freezes or resumes the clock of the sandbox, and tells what that set off: expired tokens, closed ' +
      'cancellation windows, retried callbacks. Use it instead of waiting. Give exactly one argument; without one, ' +
      'it shows the clock and what comes next.',
    input: {
      advance: z.string().max(40).optional().describe('ISO 8601 duration, such as PT49H, P2D or PT0.5S.'),
      set: z.string().max(40).optional().describe('An instant with a time zone, such as 2030-06-01T08:00:00Z.'),
      mode: z.enum(['frozen', 'running']).optional().describe('Freeze the clock, or let it run again.'),
    },
    hints: changesSandbox,
    run: async ({ advance, set, mode }) => {
      const { clock } = context.admin;
      if ([advance, set, mode].filter((one) => one !== undefined).length > 1) {
        throw new ToolError('Give one of `advance`, `set` and `mode`. Call move_clock again for the next move.');
      }
      if (advance !== undefined) return movedTo(await clock.advance(advance));
      if (set !== undefined) return movedTo(await clock.set(set));
      if (mode !== undefined) return movedTo(await (mode === 'frozen' ? clock.freeze() : clock.resume()));
      const [shown, next] = await Promise.all([
        clock.get(),
        context.send<AdminSchema<'NextEvents'>>({ method: 'GET', path: 'clock/next', query: { limit: MOST_EVENTS } }),
      ]);
      return {
        text: lines(
          clockLine(shown),
          `${counted(next.count, 'event')} to come${next.next.length < next.count ? ', the first' : ''}:`,
          next.next.map(eventLine),
        ),
        data: { ...shown, ...next },
      };
    },
  });

function clockLine({ now, mode }: AdminSchema<'Clock'>): string {
  return `Clock: ${now}, ${mode === 'standing' ? 'frozen' : 'running'}`;
}

function eventLine({ at, event, ...of }: AdminSchema<'Fired'>): string {
  return `  ${at} ${event} ${Object.values(of).join(' ')}`.trimEnd();
}

function movedTo({ now, mode, fired, firedCount }: AdminSchema<'ClockMoved'>) {
  const shown = fired.slice(0, MOST_EVENTS);
  return {
    text: lines(
      clockLine({ now, mode }),
      firedCount === 0 ? 'Nothing fell due.' : `${counted(firedCount, 'event')} fell due:`,
      shown.map(eventLine),
      firedCount > shown.length && `  ... and ${firedCount - shown.length} more.`,
    ),
    data: { now, mode, fired: shown, firedCount },
  };
}

export const resetSandbox = (context: ToolContext) =>
  defineTool({
    name: 'reset_sandbox',
    title: 'Reset the sandbox',
    description:
      'Restores the initial state: bookings, tokens, callbacks, journal, plans, clock and dialect. Use it between ' +
      'tests. Everything that clients did since the start is lost.',
    input: {},
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async () => {
      await context.admin.reset();
      context.logins.forget();
      return {
        text: 'The sandbox is as it was at its start. Initial refresh tokens work again.',
        data: { reset: true },
      };
    },
  });
