/** Where the environment says a Chromium is, and the folders where programs are. */
export const chromiumPath = process.env['CHROMIUM_PATH'];
export const programFolders = (process.env['PATH'] ?? '').split(':');
