import { fileURLToPath } from 'node:url';

/** Where the environment says a Chromium is, and the folders where programs are. */
export const chromiumPath = process.env['CHROMIUM_PATH'];
export const programFolders = (process.env['PATH'] ?? '').split(':');

/** Where pictures of the console's pages are kept. */
export const pictureFolder =
  process.env['PICTURE_FOLDER'] ?? fileURLToPath(new URL('../artifacts/console', import.meta.url));
