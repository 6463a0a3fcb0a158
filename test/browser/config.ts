/** Where the environment says a Chromium is, and the folders where programs are. */
export const chromiumPath = process.env['CHROMIUM_PATH'];
export const programFolders = (process.env['PATH'] ?? '').split(':');

/** Where pictures of the pages are kept for people to look at, if anywhere; a run without them is shorter. */
export const pictureFolder: string | null = process.env['PICTURE_FOLDER'] ?? null;

/** Whether the pictures with which later ones are compared are taken anew. */
export const keepsPictures: boolean = process.env['KEEP_PICTURES'] === 'true';
