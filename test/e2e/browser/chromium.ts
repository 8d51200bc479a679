import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const path = process.env['TEEBOX_CHROMIUM'] ?? '/usr/bin/chromium';

/**
 * Starts the Chromium of this machine.
 *
 * @throws {Error} when there is none, saying how to get one and how to do without.
 */
export async function startChromium(): Promise<Browser> {
  if (!existsSync(path)) {
    throw new Error(
      `Failed to start a browser: there is no Chromium at ${path}. Install one (Debian: \`apt-get install -y ` +
        'chromium`) or name yours in TEEBOX_CHROMIUM; `npm test` does without these tests.',
    );
  }
  // As root there is no sandbox of the browser's own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: path, args });
}
