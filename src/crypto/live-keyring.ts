import { createKeyring, keyIdOf, readKeys, type Keyring } from './keyring.ts';

/** A write needs a key that is not known to be the right one, or a read one that is missing. It may be sent again. */
export class KeyringRefused extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'KeyringRefused';
  }
}

/** A keyring whose keys are replaced while the process runs. */
export interface LiveKeyring extends Keyring {
  /** Throws KeyringRefused when the key is missing, and any other error when the ciphertext was changed, cut or moved. */
  decrypt: Keyring['decrypt'];
  /**
   * Takes these keys, in the format of ENCRYPTION_KEYS, from now on, once `judge` has resolved. Returns whether
   * they differ from the ones before. Rejects, and keeps the old ones, when `judge` does, or when the text is
   * malformed or gives other bytes to an id that it had: what was encrypted under that id would not open any more.
   */
  replace(setting: string, judge: (next: Keyring) => Promise<void>): Promise<boolean>;
  /** Calls `listener` each time a ciphertext names a key that is missing: a newer ring may have it. */
  onMissingKey(listener: () => void): void;
  /** Encrypts nothing while `problem` gives a sentence: `encrypt` then throws KeyringRefused with it. */
  guard(problem: () => string | null): void;
}

/** Makes a keyring from the text of ENCRYPTION_KEYS; throws when it is malformed. */
export function createLiveKeyring(setting: string): LiveKeyring {
  let keys = readKeys(setting);
  let ring = createKeyring(setting);
  let missing = (): void => {};
  let refused = (): string | null => null;
  return {
    get keyIds() {
      return ring.keyIds;
    },
    encrypt(text, place) {
      const problem = refused();
      if (problem !== null) throw new KeyringRefused(problem);
      return ring.encrypt(text, place);
    },
    encryptUnder: (keyId, text, place) => ring.encryptUnder(keyId, text, place),
    decrypt(ciphertext, place) {
      const id = keyIdOf(ciphertext);
      if (id !== null && !keys.has(id)) {
        missing();
        throw new KeyringRefused(`the keyring lacks the key ${id} of a ciphertext`);
      }
      return ring.decrypt(ciphertext, place);
    },
    derive: (purpose) => ring.derive(purpose),
    async replace(next, judge) {
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
      const made = createKeyring(next);
      await judge(made);
      ring = made;
      keys = given;
      return true;
    },
    onMissingKey(listener) {
      missing = listener;
    },
    guard(problem) {
      refused = problem;
    },
  };
}
