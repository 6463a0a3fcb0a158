import { createLiveKeyring, type LiveKeyring } from '../crypto/live-keyring.ts';
import { publicValues, type Config } from './config.ts';
import { keySource } from './key-source.ts';
import type { Log } from './log.ts';
import { weakKeys } from './settings/production.ts';

/** The keyring of a process, and what keeps it fresh. */
export interface Keys {
  readonly keyring: LiveKeyring;
  /** Whether the last reading of the file or the command failed; the keys before it are in use then. */
  readonly unread: () => boolean;
  /** Reads the keys again from time to time, on SIGHUP, and when a ciphertext names a key that is missing. */
  start(): void;
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

/**
 * Makes the keyring of a process. A reading that fails, or gives keys that the process would not start
 * with, is logged and changes nothing.
 */
export function createKeys(config: KeyConfig, log: Log): Keys {
  const keyring = createLiveKeyring(config.ENCRYPTION_KEYS);
  const source = keySource(config);
  let unread = false;
  let reading: Promise<void> | null = null;
  let last = 0;

  async function read(from: NonNullable<typeof source>): Promise<void> {
    try {
      const keys = await from.read();
      const weak = config.NODE_ENV === 'production' ? weakKeys(keys, publicValues) : [];
      if (weak.length > 0) throw new Error(weak.join('; '));
      if (keyring.replace(keys)) {
        log.info({ keys: keyring.keyIds }, 'the encryption keys were replaced');
      }
      unread = false;
    } catch (error) {
      unread = true;
      log.error(
        { source: from.name, message: error instanceof Error ? error.message : String(error) },
        'the encryption keys could not be read again; the ones before stay in use',
      );
    }
  }

  const refresh = (): void => {
    if (source === null) return;
    last = Date.now();
    reading ??= read(source).finally(() => (reading = null));
  };
  let timer: NodeJS.Timeout | undefined;

  return {
    keyring,
    unread: () => unread,
    start() {
      if (source === null) return;
      timer = setInterval(refresh, config.ENCRYPTION_KEYS_REFRESH_SECONDS * 1_000).unref();
      process.on('SIGHUP', refresh);
      keyring.onMissingKey(() => {
        if (Date.now() - last >= soonestMs) refresh();
      });
    },
    stop() {
      clearInterval(timer);
      process.off('SIGHUP', refresh);
    },
  };
}
