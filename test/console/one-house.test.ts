import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The custom properties of a style sheet at the first place where each is set. */
async function tokensOf(path: string): Promise<Map<string, string>> {
  const sheet = await readFile(join(root, path), 'utf8');
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of sheet.matchAll(/--([a-z-]+):\s*([^;]+);/g)) {
    if (!found.has(name)) found.set(name, value);
  }
  return found;
}

/** Names of the form for payees, and what the console calls the same colour. */
const same = [
  ['accent', 'accent'],
  ['accent-strong', 'accent-strong'],
  ['tint', 'accent-tint'],
  ['text', 'text'],
  ['muted', 'muted'],
  ['edge', 'edge'],
  ['fault', 'bad'],
] as const;

test('the console and the form for payees have the same colours', async () => {
  const form = await tokensOf('rest/look/look.css');
  const console = await tokensOf('console/src/look/tokens.css');
  for (const [ofForm, ofConsole] of same) {
    expect(form.get(ofForm), ofForm).toMatch(/^light-dark\(/);
    expect(console.get(ofConsole), ofConsole).toBe(form.get(ofForm));
  }
});
