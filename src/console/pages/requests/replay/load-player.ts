import type { CapsuleFile } from './capsule-cut.js';

/** The address of `capsules.js` of the package. */
declare const TEEBOX_PLAYER: string;

export interface Played {
  readonly same: boolean;
  readonly requests: number;
  readonly differences: readonly {
    readonly step: number;
    readonly differences: readonly { readonly where: string; readonly expected?: unknown; readonly got?: unknown }[];
  }[];
  readonly sandbox: { handle(request: Request): Response | Promise<Response> };
}

interface Player {
  playCapsule(capsule: CapsuleFile): Promise<Played>;
  sliceCapsule(capsule: CapsuleFile, from: string): Promise<CapsuleFile>;
}

/** @throws {Error} if the server has no such file. */
export function loadPlayer(): Promise<Player> {
  return (import(TEEBOX_PLAYER) as Promise<Player>).catch(() => {
    throw new Error('This server has no file that plays capsules. Play it with: npx --no-install teebox replay FILE');
  });
}
