import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { newKeyPair } from '../../../simulator/bank/key-pair.ts';

it('each key pair can be read, also where the public key begins with a zero', () => {
  const unreadable = Array.from({ length: 1_000 }, () => newKeyPair('a comment')).filter(
    ({ private: key, public: shared }) =>
      ssh2.utils.parseKey(key) instanceof Error || ssh2.utils.parseKey(shared) instanceof Error,
  );
  expect(unreadable).toEqual([]);
});
