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
  /** Removes the mails to an address, whatever its case, from the file too. Resolves with their number. */
  remove(address: string): Promise<number>;
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
    if (linesInFile >= 2 * keptMails) await keep(mails);
    return mail;
  }

  async function keep(kept: readonly StoredMail[]): Promise<void> {
    await handle.close();
    handle = await rewrite(file, kept);
    linesInFile = kept.length;
    mails = [...kept];
  }

  async function remove(address: string): Promise<number> {
    const wanted = address.toLowerCase();
    const kept = mails.filter(({ to }) => to.every((one) => one.toLowerCase() !== wanted));
    const removed = mails.length - kept.length;
    // The file may hold mails that are too old for the list.
    await keep(kept);
    return removed;
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  }

  return {
    list: () => mails.toReversed(),
    find: (id) => mails.find((mail) => mail.id === id),
    add: (make) => inTurn(() => append(make)),
    remove: (address) => inTurn(() => remove(address)),
    async close() {
      await queue;
      await handle.close();
    },
  };
}
