import type { EventEmitter } from 'node:events';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { environmentNow } from './config.ts';

/*
 * Test files share the processes that run them, because importing the service takes more than most of them do.
 * Whatever belongs to the process is therefore given back at the end of a file: this undoes what Vitest can
 * undo, and fails the file that leaves anything else changed for the next one.
 */

const handled = ['SIGINT', 'SIGTERM', 'SIGHUP', 'unhandledRejection', 'uncaughtException'];

/** Typed by itself, the process takes no name out of a list of both signals and events. */
const emitter: EventEmitter = process;

const ofTheProcess = () => ({
  folder: process.cwd(),
  globals: { fetch, Date, setTimeout, setInterval, setImmediate, console, crypto },
  handlers: handled.map((event) => emitter.listeners(event)),
});

/** Names only: a value may be a secret of whoever runs the tests. */
function changedNames(before: NodeJS.ProcessEnv, after: NodeJS.ProcessEnv): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]);
}

let found: ReturnType<typeof ofTheProcess>;
let environment: NodeJS.ProcessEnv;
beforeAll(() => {
  found = ofTheProcess();
  environment = environmentNow();
});
// The hooks of a setup file surround all others.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  expect(ofTheProcess()).toStrictEqual(found);
  expect(changedNames(environment, environmentNow())).toEqual([]);
});
