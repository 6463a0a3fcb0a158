import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../test/docs/acme');

/** The example of docs/providers.md, with its imports as they are under src/providers/acme/. */
export function exampleAdapter(): string {
  return ['settings.ts', 'wire.ts', 'adapter.ts']
    .map((file) => {
      const code = readFileSync(join(folder, file), 'utf8')
        .replaceAll('../../../src/providers/', '../')
        .replaceAll('../../../src/', '../../');
      return `\`src/providers/acme/${file}\`:\n\n\`\`\`ts\n${code}\`\`\`\n`;
    })
    .join('\n');
}
