#!/usr/bin/env node
import { node } from './node.ts';
import { run } from './run.ts';

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) node.once(signal, () => ending.abort());

async function read(): Promise<string> {
  if (node.stdin.isTTY === true) node.stderr.write('API key: ');
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of node.stdin) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('\n')) break;
  }
  return text;
}

node.exitCode = await run(node.argv.slice(2), {
  env: node.env,
  signal: ending.signal,
  print: (text) => void node.stdout.write(`${text}\n`),
  note: (text) => void node.stderr.write(`${text}\n`),
  read,
});
