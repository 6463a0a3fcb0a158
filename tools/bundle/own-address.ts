import { relative } from 'node:path';
import type { Plugin } from 'rolldown';

/** A module reads files that stand beside its source, so its address is that of the source, seen from the bundle. */
export const ownAddress = (bundle: string): Plugin => ({
  name: 'own-address',
  transform: {
    filter: { code: /import\.meta\.(url|dirname|filename)/, id: { exclude: /^\0/ } },
    handler(code, id) {
      if (/import\.meta\.(dirname|filename)/.test(code)) {
        throw new Error(`${id}: a program of the bundle finds its files by import.meta.url alone`);
      }
      const path = relative(bundle, id);
      return code.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(path)}, import.meta.url).href`,
      );
    },
  },
});
