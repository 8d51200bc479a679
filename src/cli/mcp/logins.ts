import type { Admin, AdminSend } from '../../bindings/index.js';
import { basicCredentials } from '../../engine/index.js';
import type { AdminSchema } from './admin-schema.js';
import { ToolError } from './tool.js';
import { sandboxFetch } from './sandbox-fetch.js';

/** How a call proves who makes it. */
export const authWays = ['auto', 'basic', 'bearer', 'none'] as const;
type AuthWay = (typeof authWays)[number];

interface AccessToken {
  readonly value: string;
  /** Epoch milliseconds on the clock of the sandbox. */
  readonly until: number;
}

interface LoginAsk {
  readonly channel: string;
  readonly way: AuthWay;
  /** The version that is called. */
  readonly version: string;
}

/** The headers of a login, and whether it is by a token from an earlier call. */
export interface Login {
  readonly way: Exclude<AuthWay, 'auto'>;
  readonly headers: Readonly<Record<string, string>>;
  readonly reused: boolean;
}

type LoginChannel = AdminSchema<'ChannelList'>['channels'][number];

/** Logs in for the agent, with what the dialect in force accepts. */
export class Logins {
  readonly #tokens = new Map<string, AccessToken>();

  constructor(
    readonly baseUrl: string,
    readonly admin: Admin,
    readonly send: AdminSend,
  ) {}

  /** Forgets every access token: after a reset, all of them are void. */
  forget(): void {
    this.#tokens.clear();
  }

  /** @throws {ToolError} if the channel has no credentials left. */
  async of({ channel, way, version }: LoginAsk): Promise<Login> {
    if (way === 'none') return { way, headers: {}, reused: false };
    const questions = new Map((await this.questions()).map((question) => [question.id, question]));
    const schemes = Object(questions.get('auth.schemes')?.answer)[version] as string | undefined;
    // A refresh uses up the token that the client under test may hold, so it is made only where it has to be.
    const bearer = way === 'bearer' || (way === 'auto' && schemes === 'bearer');
    const one = (await this.admin.channels()).find(({ name }) => name === channel)!;
    if (!bearer) return { way: 'basic', headers: { authorization: basicCredentials(one) }, reused: false };
    const header = String(questions.get('auth.bearer-header')?.answer ?? 'Authorization');
    const { value, reused } = await this.#token(one, questions.get('token.versions')?.answer);
    const isUsual = header.toLowerCase() === 'authorization';
    return { way: 'bearer', headers: { [header]: isUsual ? `Bearer ${value}` : value }, reused };
  }

  async questions(): Promise<AdminSchema<'QuestionList'>['questions']> {
    return (await this.send<AdminSchema<'QuestionList'>>({ method: 'GET', path: 'questions' })).questions;
  }

  async #token({ name, refreshToken }: LoginChannel, versions: unknown): Promise<{ value: string; reused: boolean }> {
    const known = this.#tokens.get(name);
    const now = Date.parse((await this.admin.clock.get()).now);
    if (known && now < known.until) return { value: known.value, reused: true };
    if (refreshToken === null) {
      throw new ToolError(`The channel ${name} has no valid refresh token any more. Call reset_sandbox to restore it.`);
    }
    const version = Array.isArray(versions) && !versions.includes('v5') ? String(versions.at(-1)) : 'v5';
    const response = await sandboxFetch(`${this.baseUrl}/api/${version}/token/refreshToken`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: refreshToken }),
    });
    const answer = (await response.json().catch(() => null)) as {
      data?: { access_token?: string; expires_in?: number };
    };
    const { access_token: value, expires_in: seconds = 0 } = answer?.data ?? {};
    if (value === undefined) {
      const id = response.headers.get('teebox-request-id');
      const next = `Call explain_request(${id === null ? '' : `request="${id}"`}) for the reason, or use auth "basic".`;
      throw new ToolError(
        `The login of ${name} failed: the token refresh was answered with ${response.status}. ${next}`,
      );
    }
    this.#tokens.set(name, { value, until: now + seconds * 1000 });
    return { value, reused: false };
  }
}
