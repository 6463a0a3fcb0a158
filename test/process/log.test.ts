import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

const module = JSON.stringify(join(import.meta.dirname, '../../src/process/log.ts'));

/** Arguments of Node for a program that has `log`. */
const programOf = (body: string) => [
  '--input-type=module',
  '--eval',
  `import { createLog } from ${module};
   const log = createLog('info', 'api');
   ${body}`,
];

const numbered = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { n: number }).n);

/** Numbers from zero on. */
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

function testFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'log');
}

function toFile(file: string, body: string) {
  const out = openSync(file, 'a');
  onTestFinished(() => closeSync(out));
  return spawnSync(process.execPath, programOf(body), {
    stdio: ['ignore', out, 'pipe'],
    encoding: 'utf8',
  });
}

test('lines of one turn are one write, which does not wait for the disk', () => {
  const file = testFile();
  const { status, stderr } = toFile(
    file,
    `import fs from 'node:fs';
     import { syncBuiltinESMExports } from 'node:module';
     const calls = [];
     for (const name of ['writeSync', 'fsyncSync', 'fdatasyncSync', 'fsync', 'fdatasync']) {
       const real = fs[name];
       fs[name] = (...given) => { calls.push(name); return real(...given); };
     }
     syncBuiltinESMExports();
     for (const n of [0, 1, 2]) log.info({ n });
     setTimeout(() => log.info({ n: 3 }), 5);
     process.on('exit', () => fs.writeFileSync(2, calls.join()));`,
  );
  expect([status, numbered(readFileSync(file, 'utf8'))]).toEqual([0, [0, 1, 2, 3]]);
  expect(stderr).toBe('writeSync,writeSync');
});

test('a process that exits loses no line, however many they are', () => {
  const file = testFile();
  const { status } = toFile(
    file,
    'for (let n = 0; n < 5000; n += 1) log.info({ n }); process.exit(3);',
  );
  expect([status, numbered(readFileSync(file, 'utf8'))]).toEqual([3, upTo(5000)]);
});

test('a disk that is full stops no work', () => {
  const { status, stderr } = toFile(
    '/dev/full',
    `log.info({ n: 0 });
     setTimeout(() => { log.info({ n: 1 }); process.stderr.write('worked on'); }, 20);`,
  );
  expect([status, stderr]).toEqual([0, 'worked on']);
});

test('the line after one that a full disk has torn is whole', () => {
  const file = testFile();
  const { status } = toFile(
    file,
    `import fs from 'node:fs';
     import { syncBuiltinESMExports } from 'node:module';
     const real = fs.writeSync;
     const answers = [
       (fd, bytes) => real(fd, bytes.subarray(0, 5)),
       () => { throw Object.assign(new Error('no space left'), { code: 'ENOSPC' }); },
     ];
     fs.writeSync = (...given) => (answers.shift() ?? real)(...given);
     syncBuiltinESMExports();
     log.info({ n: 0 });
     setTimeout(() => log.info({ n: 1 }), 5);`,
  );
  const [torn, ...rest] = readFileSync(file, 'utf8').split('\n');
  expect([status, torn?.length, numbered(rest.join('\n'))]).toEqual([0, 5, [1]]);
});

test('a reader that has gone stops no work', async () => {
  const child = spawn(
    process.execPath,
    programOf(
      `process.stdin.on('end', () => {
         log.info({ n: 1 });
         setTimeout(() => { log.info({ n: 2 }); process.stderr.write('worked on'); }, 20);
       }).resume();`,
    ),
  );
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end();
  const [told, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([code, told]).toEqual([0, 'worked on']);
});

test('a reader that is slow gets every line', async () => {
  const body = 'void process.stdout.fd; for (let n = 0; n < 5000; n += 1) log.info({ n });';
  const child = spawn(process.execPath, programOf(body));
  const ended = once(child, 'exit');
  await pause(500);
  const out = await text(child.stdout);
  expect([(await ended)[0], numbered(out)]).toEqual([0, upTo(5000)]);
});
