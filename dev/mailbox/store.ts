import { mkdir, open, readFile, rename, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storedMail, type StoredMail } from './mail.ts';

/** How many mails are kept; the file is rewritten when it holds twice as many. */
const keptMails = 500;

export interface MailStore {
  /** Newest first. */
  list(): readonly StoredMail[];
  find(id: number): StoredMail | undefined;
  /** Gives the mail its number, writes it and resolves when it is on disk. */
  add(make: (id: number) => Promise<StoredMail>): Promise<StoredMail>;
  close(): Promise<void>;
}

function parseLine(line: string): StoredMail | null {
  try {
    return storedMail.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

async function readLines(file: string): Promise<string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Replaces the file in one step, so that a crash leaves the old one or the new one. */
async function rewrite(file: string, mails: readonly StoredMail[]): Promise<FileHandle> {
  const temporary = `${file}.new`;
  const lines = mails.map((mail) => `${JSON.stringify(mail)}\n`).join('');
  // Mails carry single-use links: only the owner of the process may read them.
  await writeFile(temporary, lines, { mode: 0o600, flush: true });
  await rename(temporary, file);
  return open(file, 'a', 0o600);
}

/**
 * Opens the append-only file of mails, or makes it. A line cut short by a crash is dropped; opening
 * rewrites the file, so that the next mail never continues such a line.
 */
export async function openMailStore(file: string): Promise<MailStore> {
  await mkdir(dirname(file), { recursive: true });
  let mails = (await readLines(file))
    .map(parseLine)
    .filter((mail) => mail !== null)
    .slice(-keptMails);
  let handle = await rewrite(file, mails);
  let linesInFile = mails.length;
  let lastId = mails.at(-1)?.id ?? 0;
  let queue: Promise<unknown> = Promise.resolve();

  async function append(make: (id: number) => Promise<StoredMail>): Promise<StoredMail> {
    const mail = await make(lastId + 1);
    await handle.appendFile(`${JSON.stringify(mail)}\n`);
    await handle.datasync();
    lastId = mail.id;
    linesInFile += 1;
    mails = [...mails, mail].slice(-keptMails);
    if (linesInFile >= 2 * keptMails) {
      await handle.close();
      handle = await rewrite(file, mails);
      linesInFile = mails.length;
    }
    return mail;
  }

  return {
    list: () => mails.toReversed(),
    find: (id) => mails.find((mail) => mail.id === id),
    add(make) {
      const added = queue.then(() => append(make));
      queue = added.catch(() => undefined);
      return added;
    },
    async close() {
      await queue;
      await handle.close();
    },
  };
}
