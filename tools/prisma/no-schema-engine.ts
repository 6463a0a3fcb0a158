#!/usr/bin/env node
// Stands in for Prisma's schema engine, a binary that every Prisma command wants to download first
// and that `generate` never asks anything. It refuses each request, because a stand-in that only
// exits lets `migrate deploy` report success having done nothing.
import { createInterface } from 'node:readline';

const message =
  'There is no schema engine in this project. Apply migrations with `node src/migrate.ts`.';

if (process.argv.includes('cli')) {
  // A question by command line, not by request: whether the database can be reached.
  console.error(message);
  process.exit(1);
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const { id } = JSON.parse(line) as { id: unknown };
  const error = { code: 4466, message, data: { is_panic: false, message, meta: null } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
}
