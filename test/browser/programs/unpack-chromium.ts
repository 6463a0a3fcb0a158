import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';

/*
 * Unpacks the Chromium of the npm package into the folder that TMPDIR names, with the libraries that
 * it needs where the system has none. A program of its own, since the package asks for no folder.
 */
const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
await chromium.executablePath();
await inflate(join(dirname(dirname(entry)), 'bin', 'al2023.tar.br'));
