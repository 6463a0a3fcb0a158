import { createHash } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** What lies in a customer's folder for the bank. */
export interface Outgoing {
  readonly customer: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** The folders of the customers: `<customer>/out` to the bank, `<customer>/in` from it. */
export interface Postbox {
  /** Makes the folders of a customer that are missing. */
  open(customer: string): Promise<void>;
  /** Whether a customer of that name has folders. */
  has(customer: string): Promise<boolean>;
  /** The files that customers have put there, customer by customer, by name. */
  outgoing(): AsyncIterable<Outgoing>;
  remove(customer: string, name: string): Promise<void>;
  /** Puts a file there for the customer, whole or not at all. */
  place(customer: string, name: string, bytes: Uint8Array): Promise<void>;
}

/** Names that are folders of customers; no path can be made of one. */
export const customerName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Files that are still being written are named so. */
const temporary = /^\.|\.(?:tmp|part|filepart|writing)$/i;

const mostBytes = 64 * 1024 * 1024;

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** @param root the folder of all customers; it is made if it is not there */
export async function openPostbox(root: string): Promise<Postbox> {
  await mkdir(root, { recursive: true });

  async function* ofCustomer(customer: string): AsyncGenerator<Outgoing> {
    const folder = join(root, customer, 'out');
    const files = await readdir(folder, { withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map(({ name }) => name);
    for (const name of names.filter((one) => !temporary.test(one)).toSorted()) {
      const path = join(folder, name);
      if ((await stat(path)).size > mostBytes) continue;
      const bytes = await readFile(path);
      yield { customer, name, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    }
  }

  async function* outgoing(): AsyncGenerator<Outgoing> {
    const customers = (await readdir(root)).filter((name) => customerName.test(name)).toSorted();
    for (const customer of customers) {
      if (await isFolder(join(root, customer, 'out'))) yield* ofCustomer(customer);
    }
  }

  async function place(customer: string, name: string, bytes: Uint8Array): Promise<void> {
    const folder = join(root, customer, 'in');
    await mkdir(folder, { recursive: true });
    const unfinished = join(folder, `.${name}.part`);
    const handle = await open(unfinished, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, join(folder, name));
  }

  return {
    async open(customer) {
      await mkdir(join(root, customer, 'out'), { recursive: true });
      await mkdir(join(root, customer, 'in', 'archive'), { recursive: true });
    },
    has: async (customer) => customerName.test(customer) && isFolder(join(root, customer)),
    outgoing,
    remove: (customer, name) => unlink(join(root, customer, 'out', name)),
    place,
  };
}
