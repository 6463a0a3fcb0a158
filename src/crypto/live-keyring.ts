import { createKeyring, keyIdOf, readKeys, type Keyring } from './keyring.ts';

/** A keyring whose keys are replaced while the process runs. */
export interface LiveKeyring extends Keyring {
  /**
   * Takes these keys, in the format of ENCRYPTION_KEYS, from now on. Returns whether they differ from the
   * ones before. Throws, and keeps the old ones, when the text is malformed or gives other bytes to an id
   * that it had: what was encrypted under that id would not open any more.
   */
  replace(setting: string): boolean;
  /** Calls `listener` each time a ciphertext names a key that is missing: a newer ring may have it. */
  onMissingKey(listener: () => void): void;
}

/** Makes a keyring from the text of ENCRYPTION_KEYS; throws when it is malformed. */
export function createLiveKeyring(setting: string): LiveKeyring {
  let keys = readKeys(setting);
  let ring = createKeyring(setting);
  let missing = (): void => {};
  return {
    get keyIds() {
      return ring.keyIds;
    },
    encrypt: (text, place) => ring.encrypt(text, place),
    decrypt(ciphertext, place) {
      const id = keyIdOf(ciphertext);
      if (id !== null && !keys.has(id)) missing();
      return ring.decrypt(ciphertext, place);
    },
    derive: (purpose) => ring.derive(purpose),
    replace(next) {
      const given = readKeys(next);
      for (const [id, key] of given) {
        if (keys.get(id)?.equals(key) === false) {
          throw new Error(
            `ENCRYPTION_KEYS: key ${id} has other bytes than before; a new key needs a new id`,
          );
        }
      }
      const same = keys.size === given.size && [...given.keys()].join() === [...keys.keys()].join();
      if (same) return false;
      ring = createKeyring(next);
      keys = given;
      return true;
    },
    onMissingKey(listener) {
      missing = listener;
    },
  };
}
