import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { consoleDocuments, documentFiles } from '../../tools/console/documents.ts';

const root = join(import.meta.dirname, '../..');
const files = documentFiles(root);

/** Words of the sources that take documents from the generated modules. */
const words = new Set(
  globSync('console/src/**/*.{ts,tsx}', { cwd: root }).flatMap(
    (file) => readFileSync(join(root, file), 'utf8').match(/\w+Document\b/g) ?? [],
  ),
);

test('every operation of the console is used', () => {
  const operations = consoleDocuments(files).map(({ operation }) => operation);
  expect(operations.length).toBeGreaterThan(50);
  const names = operations.map(
    (operation) => `${operation.charAt(0).toLowerCase()}${operation.slice(1)}Document`,
  );
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

test('a fragment is sent with the operations that use it, and with no others', () => {
  const texts = new Map(consoleDocuments(files).map(({ operation, text }) => [operation, text]));
  expect(texts.get('PayoutTimeline')).toContain('fragment AuthorParts on Author');
  expect(texts.get('PayoutCancel')).not.toContain('fragment');
});

test('every fragment is used', () => {
  const used = consoleDocuments(files)
    .map(({ text }) => text)
    .join('\n');
  const fragments = files.flatMap(({ document }) =>
    document.definitions.flatMap((definition) =>
      definition.kind === 'FragmentDefinition' ? [definition.name.value] : [],
    ),
  );
  expect(fragments.filter((name) => !used.includes(`...${name}`))).toEqual([]);
});
