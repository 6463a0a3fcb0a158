import { setTimeout as pause } from 'node:timers/promises';
import type { Keyring } from '../crypto/keyring.ts';
import { createLiveKeyring, type LiveKeyring } from '../crypto/live-keyring.ts';
import { publicValues, type Config } from './config.ts';
import { keySource } from './key-source.ts';
import type { Log } from './log.ts';
import { ConfigError } from './settings/setting.ts';
import { weakKeys } from './settings/production.ts';

/**
 * What makes a ring unfit for the data, a sentence for each key; none for the right one. Rejects while that cannot be
 * found out.
 */
export type RingJudge = (ring: Keyring) => Promise<readonly string[]>;

/** The keyring of a process, and what keeps it fresh. */
export interface Keys {
  readonly keyring: LiveKeyring;
  /**
   * Why the last reading of the file or the command failed, or gave keys that are not taken; null where it did not.
   * The keys before it are in use then.
   */
  readonly unread: () => string | null;
  /** Why nothing may be encrypted with the keys in use, or null. */
  readonly problem: () => string | null;
  /**
   * Has the ring judged, which encrypts nothing before that, and resolves once it is found to be the right one. Tries
   * again while that cannot be found out. Reads the keys again from time to time, on SIGHUP, and when a ciphertext names
   * a key that is missing, and judges them again with each reading.
   *
   * @throws ConfigError when the ring is not the one of the data
   */
  start(judge: RingJudge): Promise<void>;
  /** Judges the keys in use again: after an outage the database may be another one. */
  judgeAgain(): void;
  stop(): void;
}

type KeyConfig = Pick<
  Config,
  | 'ENCRYPTION_KEYS'
  | 'ENCRYPTION_KEYS_FILE'
  | 'ENCRYPTION_KEYS_COMMAND'
  | 'ENCRYPTION_KEYS_REFRESH_SECONDS'
  | 'NODE_ENV'
>;

/** Many ciphertexts may name a missing key at once: the keys are read for them this often at most. */
const soonestMs = 1_000;

/** Pause before a ring is judged again where that could not be done. */
const againMs = 1_000;

const waiting = 'The keyring cannot be checked until the database answers.';

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** A fault of reading in words for `/readyz`, which whoever asks can see: of the system's errors the code alone. */
function faultOf(error: unknown, source: string): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? `${source}: ${code}` : messageOf(error);
}

/**
 * Makes the keyring of a process. A reading that fails, or gives keys that the process would not start
 * with, is logged and changes nothing.
 */
export function createKeys(config: KeyConfig, log: Log): Keys {
  const keyring = createLiveKeyring(config.ENCRYPTION_KEYS);
  const source = keySource(config);
  const stopped = new AbortController();
  let judge: RingJudge = () => Promise.resolve([]);
  let unread: string | null = null;
  let problem: string | null = null;
  let reading: Promise<void> | null = null;
  let wanted = false;
  let last = 0;

  async function requireRight(ring: Keyring): Promise<void> {
    const problems = await judge(ring);
    if (problems.length > 0) throw new ConfigError(`ENCRYPTION_KEYS: ${problems.join('; ')}`);
  }

  async function read(from: NonNullable<typeof source>): Promise<void> {
    try {
      const keys = await from.read();
      const weak = config.NODE_ENV === 'production' ? weakKeys(keys, publicValues) : [];
      if (weak.length > 0) throw new Error(weak.join('; '));
      if (await keyring.replace(keys, requireRight)) {
        log.info({ keys: keyring.keyIds }, 'the encryption keys were replaced');
      }
      unread = null;
    } catch (error) {
      unread = faultOf(error, from.name);
      log.error(
        { source: from.name, message: messageOf(error) },
        'the encryption keys could not be read again; the ones before stay in use',
      );
    }
  }

  /** Judges the ring in use. What cannot be found out changes nothing. */
  async function rejudge(): Promise<void> {
    const problems = await judge(keyring).catch(() => null);
    if (problems === null) return;
    const before = problem;
    problem = problems.length === 0 ? null : `ENCRYPTION_KEYS: ${problems.join('; ')}`;
    if (problem === before) return;
    if (problem === null) log.info('the encryption keys are those of the data again');
    else log.error({ message: problem }, 'the encryption keys are not those of the data');
  }

  async function refreshOnce(): Promise<void> {
    if (source !== null) await read(source);
    await rejudge();
  }

  /** Whoever asks while a reading is under way may mean keys that it did not see, so another one follows. */
  const refresh = (): void => {
    last = Date.now();
    if (reading !== null) {
      wanted = true;
      return;
    }
    wanted = false;
    reading = refreshOnce().finally(() => {
      reading = null;
      if (wanted && !stopped.signal.aborted) refresh();
    });
  };
  let timer: NodeJS.Timeout | undefined;

  /** Judges the ring that the process starts with, for as long as that takes. */
  async function judgeFirst(): Promise<void> {
    for (let told = false; !stopped.signal.aborted; told = true) {
      try {
        await requireRight(keyring);
        problem = null;
        return;
      } catch (error) {
        if (error instanceof ConfigError) {
          problem = error.message;
          throw error;
        }
        if (!told) log.warn({ message: messageOf(error) }, waiting);
        await pause(againMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
  }

  return {
    keyring,
    unread: () => unread,
    problem: () => problem,
    async start(given) {
      judge = given;
      problem = 'the encryption keys are not judged yet';
      keyring.guard(() => problem);
      process.on('SIGHUP', refresh);
      await judgeFirst();
      if (stopped.signal.aborted) return;
      timer = setInterval(refresh, config.ENCRYPTION_KEYS_REFRESH_SECONDS * 1_000).unref();
      keyring.onMissingKey(() => {
        if (Date.now() - last >= soonestMs) refresh();
      });
    },
    judgeAgain: refresh,
    stop() {
      stopped.abort();
      clearInterval(timer);
      process.off('SIGHUP', refresh);
    },
  };
}
