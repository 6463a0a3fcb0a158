import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';
import { readBankFile } from '../../../src/providers/bank/read-file.ts';
import { env } from '../config.ts';
import { peakMemory } from '../memory.ts';

/**
 * Reads a statement in one of two ways: `read` by the readers, `parse` by the parser alone. Prints payments, CPU
 * time and the peak of resident memory.
 */
const ways: Record<string, () => Promise<number>> = {
  read: async () => {
    let payments = 0;
    for await (const report of readBankFile(createReadStream(env('FILE')))) {
      if (report.kind === 'entry') payments += report.details.length;
    }
    return payments;
  },
  parse: async () => {
    const parser = new SaxesParser({ xmlns: true });
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const chunk of createReadStream(env('FILE'))) {
      parser.write(decoder.decode(chunk as Buffer, { stream: true }));
    }
    parser.close();
    return 0;
  },
};

const payments = (await ways[env('WAY')]?.()) ?? 0;
const { user, system } = process.cpuUsage();
process.stdout.write(
  JSON.stringify({ payments, cpuMs: (user + system) / 1_000, peakMiB: peakMemory(process.pid) }),
);
