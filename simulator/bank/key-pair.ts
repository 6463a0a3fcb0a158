import ssh2 from 'ssh2';

/** Far more than are needed: one pair of 256 cannot be read. */
const tries = 20;

/**
 * An Ed25519 key pair for SSH. Where the public key begins with a zero, ssh2 cuts that off, and nobody can read what
 * it wrote. Such a pair is made again.
 */
export function newKeyPair(comment = ''): ReturnType<typeof ssh2.utils.generateKeyPairSync> {
  for (let made = 0; made < tries; made += 1) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment });
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
  throw new Error('ssh2 made no key that it can read');
}
