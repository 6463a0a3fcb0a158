import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BankTransport } from '../../../../src/providers/bank/transport/port.ts';

export const bytes = Buffer.from('x'.repeat(100_000));
export const sha256 = createHash('sha256').update(bytes).digest('hex');

/** A folder as a bank has it. */
export async function makeFolders(root: string): Promise<void> {
  await mkdir(join(root, 'out'), { recursive: true });
  await mkdir(join(root, 'in'), { recursive: true });
}

async function contentOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

/** What every transport does. `subject` gives one and the directory that it leads to. */
export function conforms(
  subject: () => { readonly transport: BankTransport; readonly root: string },
): void {
  it('shows a file under its own name only when all of it is there', async () => {
    const { transport, root } = subject();
    await transport.stage('a.xml.1.part', bytes);
    expect(await readdir(join(root, 'out'))).toEqual(['a.xml.1.part']);
    expect(await transport.find('a.xml')).toBeNull();
    expect(await transport.find('a.xml.1.part')).toEqual({ sha256 });
    await transport.publish('a.xml.1.part', 'a.xml');
    expect(await readdir(join(root, 'out'))).toEqual(['a.xml']);
    expect(await transport.find('a.xml')).toEqual({ sha256 });
    expect(await transport.find('a.xml.1.part')).toBeNull();
    expect((await readFile(join(root, 'out', 'a.xml'))).equals(bytes)).toBe(true);
  });

  it('stages again over what an earlier try left, and discards it', async () => {
    const { transport, root } = subject();
    await writeFile(join(root, 'out', 'b.xml.1.part'), 'half of');
    await transport.stage('b.xml.1.part', bytes);
    expect(await transport.find('b.xml.1.part')).toEqual({ sha256 });
    await transport.discard('b.xml.1.part');
    await transport.discard('b.xml.1.part');
    expect(await transport.find('b.xml.1.part')).toBeNull();
  });

  it('does not publish a file that nobody staged', async () => {
    const { transport } = subject();
    await expect(transport.publish('c.xml.1.part', 'c.xml')).rejects.toThrow(/renaming the file/);
    expect(await transport.find('c.xml')).toBeNull();
  });

  it('lists, reads and archives what the bank has finished', async () => {
    const { transport, root } = subject();
    const incoming = join(root, 'in');
    await writeFile(join(incoming, 'status.xml'), 'a status');
    await writeFile(join(incoming, 'half.xml.part'), 'half');
    await writeFile(join(incoming, '.hidden'), 'hidden');
    expect(await transport.list()).toEqual([{ name: 'status.xml', size: 8 }]);
    expect(await contentOf(transport.read('status.xml'))).toBe('a status');
    expect(await transport.sizeOf('status.xml')).toBe(8);
    expect(await transport.sizeOf('gone.xml')).toBeNull();
    await transport.archive('status.xml');
    expect(await transport.list()).toEqual([]);
    await writeFile(join(incoming, 'status.xml'), 'another');
    await transport.archive('status.xml');
    expect(await readdir(join(incoming, 'archive'))).toHaveLength(2);
    await expect(contentOf(transport.read('gone.xml'))).rejects.toMatchObject({ verdict: 'retry' });
  });

  it('takes no name that leads elsewhere', async () => {
    const { transport } = subject();
    for (const name of ['../a.xml', 'a/b.xml', '.', '', '.a', 'a b', 'a\0', 'a..b']) {
      await expect(async () => transport.stage(name, bytes), name).rejects.toThrow(TypeError);
      await expect(async () => transport.find(name), name).rejects.toThrow(TypeError);
    }
    for (const name of ['../x', 'a/b', '..', '', 'a\\b']) {
      await expect(transport.archive(name), name).rejects.toMatchObject({ verdict: 'retry' });
      await expect(transport.sizeOf(name), name).rejects.toMatchObject({ verdict: 'retry' });
      await expect(contentOf(transport.read(name)), name).rejects.toThrow('another folder');
    }
  });

  it('says that nothing is certain where the folder is not there', async () => {
    const { transport, root } = subject();
    await rm(join(root, 'out'), { recursive: true });
    await expect(transport.find('d.xml')).rejects.toMatchObject({ verdict: 'retry' });
    await expect(transport.stage('d.xml.1.part', bytes)).rejects.toMatchObject({
      verdict: 'retry',
    });
  });
}
