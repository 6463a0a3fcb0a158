import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compareGenerated, type GeneratedText } from '../../tools/docs/generated.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'generated-'));
  await writeFile(join(root, '.oxfmtrc.json'), '{"singleQuote":true}');
});
afterEach(() => rm(root, { recursive: true }));

const schema: GeneratedText = { file: 'schema/schema.graphql', generate: () => 'scalar DateTime' };
const table: GeneratedText = {
  file: 'README.md',
  region: 'configuration',
  generate: () => Promise.resolve('|a|b|\n|-|-|\n|1|22|\n'),
};
const readme = (content: string): string =>
  `# Payouts\n\n<!-- begin generated: configuration -->${content}<!-- end generated: configuration -->\n\nBy hand.\n`;

describe('compareGenerated', () => {
  test('reports a missing file and leaves it missing', async () => {
    expect(await compareGenerated(root, [schema], { write: false })).toEqual([
      { name: 'schema/schema.graphql', fresh: false },
    ]);
    await expect(readFile(join(root, schema.file))).rejects.toThrow('ENOENT');
  });

  test('writes a missing file with its folder and a newline, and is fresh afterwards', async () => {
    await compareGenerated(root, [schema], { write: true });
    expect(await readFile(join(root, schema.file), 'utf8')).toBe('scalar DateTime\n');
    expect(await compareGenerated(root, [schema], { write: false })).toEqual([
      { name: 'schema/schema.graphql', fresh: true },
    ]);
  });

  test('reports an edit of what is generated and replaces it when told to', async () => {
    await compareGenerated(root, [schema], { write: true });
    await writeFile(join(root, schema.file), 'scalar Date\n');
    const [checked] = await compareGenerated(root, [schema], { write: false });
    expect(checked?.fresh).toBe(false);
    expect(await readFile(join(root, schema.file), 'utf8')).toBe('scalar Date\n');
    await compareGenerated(root, [schema], { write: true });
    expect(await readFile(join(root, schema.file), 'utf8')).toBe('scalar DateTime\n');
  });

  test('takes a checkout with Windows line ends for what it is', async () => {
    await compareGenerated(root, [schema], { write: true });
    await writeFile(join(root, schema.file), 'scalar DateTime\r\n');
    const [checked] = await compareGenerated(root, [schema], { write: false });
    expect(checked?.fresh).toBe(true);
  });

  test('replaces a region, formatted, and nothing around it', async () => {
    await writeFile(join(root, 'README.md'), readme('\nold\n'));
    await compareGenerated(root, [table], { write: true });
    expect(await readFile(join(root, 'README.md'), 'utf8')).toBe(
      readme('\n\n| a   | b   |\n| --- | --- |\n| 1   | 22  |\n\n'),
    );
    expect(await compareGenerated(root, [table], { write: false })).toEqual([
      { name: 'README.md (configuration)', fresh: true },
    ]);
  });

  test('refuses a file that lost its markers instead of calling it fresh', async () => {
    await writeFile(join(root, 'README.md'), '# Payouts\n');
    await expect(compareGenerated(root, [table], { write: true })).rejects.toThrow(
      'README.md has no region',
    );
  });
});
