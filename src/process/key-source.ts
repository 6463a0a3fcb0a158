import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ConfigError, readValue } from './settings/setting.ts';

/** Longest run of ENCRYPTION_KEYS_COMMAND in milliseconds. */
const commandMs = 10_000;

const names = ['ENCRYPTION_KEYS', 'ENCRYPTION_KEYS_FILE', 'ENCRYPTION_KEYS_COMMAND'] as const;

/** How the shell is run: a command's messages go among those of the process. */
const options = {
  timeout: commandMs,
  stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'],
};

/**
 * The text of ENCRYPTION_KEYS when the process starts: from the variable, the file, or the command, of
 * which one at most may be set; null when none is.
 *
 * @throws ConfigError when more than one is set, the file cannot be read, or the command fails
 */
export function readKeyring(env: NodeJS.ProcessEnv): string | null {
  const given = names.filter((name) => (env[name] ?? '') !== '');
  if (given.length > 1) throw new ConfigError(`${given.join(' and ')}: set one of them alone`);
  const command = readValue('ENCRYPTION_KEYS_COMMAND', env);
  if (command === null) return readValue('ENCRYPTION_KEYS', env);
  const { stdout, status, signal } = spawnSync('/bin/sh', ['-c', command], {
    ...options,
    encoding: 'utf8',
  });
  return printed(stdout, status, signal);
}

/** What a command printed, without white space at its ends. Throws ConfigError when it failed. */
function printed(output: string, status: number | null, signal: string | null): string {
  const name = 'ENCRYPTION_KEYS_COMMAND';
  if (signal !== null) {
    throw new ConfigError(`${name}: was ended by ${signal}; it has ${commandMs / 1_000} seconds`);
  }
  if (status !== 0) throw new ConfigError(`${name}: ended with status ${status ?? 'unknown'}`);
  const keys = output.trim();
  if (keys === '') throw new ConfigError(`${name}: printed nothing`);
  return keys;
}

/** Where the keys come from while the process runs; null where they cannot change. */
export interface KeySource {
  /** The name of the setting that says where. */
  readonly name: (typeof names)[number];
  /** The keys as they are now; rejects when the file cannot be read or the command fails. */
  read(): Promise<string>;
}

interface KeySettings {
  readonly ENCRYPTION_KEYS_FILE: string | null;
  readonly ENCRYPTION_KEYS_COMMAND: string | null;
}

/** The source that these settings name. */
export function keySource(settings: KeySettings): KeySource | null {
  const { ENCRYPTION_KEYS_FILE: file, ENCRYPTION_KEYS_COMMAND: command } = settings;
  if (command !== null) {
    return { name: 'ENCRYPTION_KEYS_COMMAND', read: () => runCommand(command) };
  }
  if (file === null) return null;
  const read = async (): Promise<string> => (await readFile(file, 'utf8')).trim();
  return { name: 'ENCRYPTION_KEYS_FILE', read };
}

async function runCommand(command: string): Promise<string> {
  const child = spawn('/bin/sh', ['-c', command], options);
  const [output, [status, signal]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return printed(output, status, signal);
}
