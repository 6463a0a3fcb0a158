import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { chromiumPath, programFolders } from './config.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

function installedChromium(): string | undefined {
  const programs = programFolders.flatMap((folder) => names.map((name) => join(folder, name)));
  return programs.find((program) => existsSync(program));
}

const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
const unpacked = join(cache, 'test-chromium');

/** Unpacks the one of the npm package. Of several at once, the first to finish counts. */
async function unpackChromium(): Promise<string> {
  if (!existsSync(unpacked)) {
    await mkdir(cache, { recursive: true });
    const folder = await mkdtemp(join(cache, 'unpacking-'));
    const program = fileURLToPath(new URL('programs/unpack-chromium.ts', import.meta.url));
    await promisify(execFile)(process.execPath, [program], { env: { TMPDIR: folder } });
    await rename(folder, unpacked).catch(() => rm(folder, { recursive: true }));
  }
  return join(unpacked, 'chromium');
}

/** Starts the Chromium of the npm package, with its own libraries where the system's do not do. */
export async function launchPackagedChromium(): Promise<Browser> {
  const executablePath = await unpackChromium();
  const libraries = { LD_LIBRARY_PATH: join(unpacked, 'al2023', 'lib'), HOME: unpacked };
  const args = ['--no-zygote'];
  try {
    return await chromium.launch({ executablePath, args });
  } catch {
    return chromium.launch({ executablePath, args, env: libraries });
  }
}

/**
 * Starts a Chromium: the one that CHROMIUM_PATH names, else the system's, else the one of the npm
 * package. It runs without its own sandbox, so that root and containers can start it; it opens
 * pages of this service only.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath ?? installedChromium();
  if (executablePath === undefined) return launchPackagedChromium();
  return chromium.launch({ executablePath });
}
