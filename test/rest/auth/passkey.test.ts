import { describe, expect, it } from 'vitest';
import { softwarePasskey, type Given, type SoftwarePasskey } from './authenticator.ts';
import { eventually, makeTenant } from '../../support/factory.ts';
import { sessionsWait } from '../../support/sessions-wait.ts';
import { cookieOf, holderOf, sessionOf, signInRequest } from '../../support/sessions.ts';
import { useHarness } from '../../support/use-harness.ts';

/*
 * A passkey that is synced between devices keeps its counter at 0, so the counter keeps no answer from being shown
 * twice. Each test leaves all guards but one in order.
 */
const harness = useHarness({ worker: false });

const newPasskey = () => softwarePasskey(harness.services.config.PUBLIC_URL);

async function person() {
  const tenant = await makeTenant(harness);
  const { userId } = await holderOf(harness, tenant.key);
  return { userId, ...(await sessionOf(harness, { userId })) };
}

/** The challenge for adding a passkey in a session. */
async function toAdd(key: string): Promise<string> {
  const { body } = await harness.graphql(key, 'mutation { passkeyRegistrationOptions }');
  return body.data.passkeyRegistrationOptions.challenge;
}

/** The challenge for signing in. */
async function toSignIn(): Promise<string> {
  return (await signInRequest(harness, '/auth/passkey/options', {})).body.challenge;
}

const add = `mutation ($response: JSON!) { passkeyRegister(name: "Phone", response: $response) { id } }`;

async function adding(key: string, passkey: SoftwarePasskey, given: Given): Promise<string> {
  const { body } = await harness.graphql(key, add, { response: passkey.create(given) });
  return body.errors?.[0].extensions.code ?? 'added';
}

const signIn = (passkey: SoftwarePasskey, given: Given) =>
  signInRequest(harness, '/auth/passkey/sign-in', { response: passkey.get(given) });

async function signingIn(passkey: SoftwarePasskey, given: Given): Promise<string> {
  const answer = await signIn(passkey, given);
  return answer.status === 200 ? 'signed in' : answer.body.error.code;
}

/** A person with a passkey. */
async function withPasskey(counter = 0) {
  const owner = await person();
  const passkey = newPasskey();
  const challenge = await toAdd(owner.key);
  expect(await adding(owner.key, passkey, { challenge, counter })).toBe('added');
  return { ...owner, passkey };
}

async function count(text: string, value: string): Promise<number> {
  return (await harness.database.pool.query(text, [value])).rowCount ?? 0;
}
const passkeysOf = (userId: string) => count('SELECT 1 FROM passkey WHERE user_id = $1', userId);
const sessionsOf = (userId: string) =>
  count(`SELECT 1 FROM user_session WHERE user_id = $1 AND signed_in_by = 'passkey'`, userId);

const expire = () => harness.database.pool.query('UPDATE passkey_challenge SET expires_at = now()');

describe('a challenge', () => {
  it('signs in once, also where the passkey does not count', async () => {
    const { passkey, userId } = await withPasskey();
    const challenge = await toSignIn();
    expect(await signingIn(passkey, { challenge })).toBe('signed in');
    expect(await signingIn(passkey, { challenge })).toBe('unauthorized');
    expect(await sessionsOf(userId)).toBe(1);
    // The passkey itself goes on working.
    expect(await signingIn(passkey, { challenge: await toSignIn() })).toBe('signed in');
  });

  it('signs in one of two who show it at the same time', async () => {
    const { passkey, userId } = await withPasskey();
    const challenge = await toSignIn();
    const held = await harness.database.pool.connect();
    try {
      await held.query('BEGIN');
      await held.query('SELECT 1 FROM passkey_challenge FOR UPDATE');
      const both = Promise.all([1, 2].map(() => signingIn(passkey, { challenge })));
      await eventually(async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
        return (await harness.database.pool.query(waiting)).rowCount === 2;
      });
      await held.query('COMMIT');
      expect((await both).toSorted()).toEqual(['signed in', 'unauthorized']);
    } finally {
      held.release();
    }
    expect(await sessionsOf(userId)).toBe(1);
  });

  it('adds one passkey, and no second one of the same session', async () => {
    const { key, userId } = await person();
    const challenge = await toAdd(key);
    expect(await adding(key, newPasskey(), { challenge })).toBe('added');
    expect(await adding(key, newPasskey(), { challenge })).toBe('unprocessable_entity');
    expect(await passkeysOf(userId)).toBe(1);
  });

  it('for signing in adds no passkey', async () => {
    const { key, userId } = await person();
    const challenge = await toSignIn();
    expect(await adding(key, newPasskey(), { challenge })).toBe('unprocessable_entity');
    expect(await passkeysOf(userId)).toBe(0);
  });

  it('for adding signs nobody in', async () => {
    const { passkey, key, userId } = await withPasskey();
    expect(await signingIn(passkey, { challenge: await toAdd(key) })).toBe('unauthorized');
    expect(await sessionsOf(userId)).toBe(0);
  });

  it('of one session adds no passkey in another, neither of the same person nor of somebody else', async () => {
    const owner = await person();
    const second = await sessionOf(harness, { userId: owner.userId });
    const stranger = await person();
    for (const other of [second, stranger]) {
      const challenge = await toAdd(other.key);
      expect(await adding(owner.key, newPasskey(), { challenge })).toBe('unprocessable_entity');
    }
    expect(await passkeysOf(owner.userId)).toBe(0);
  });

  it('does nothing when its time is over', async () => {
    const { passkey, key, userId } = await withPasskey();
    const [signing, another] = [await toSignIn(), await toAdd(key)];
    await expire();
    expect(await signingIn(passkey, { challenge: signing })).toBe('unauthorized');
    expect(await adding(key, newPasskey(), { challenge: another })).toBe('unprocessable_entity');
    expect([await sessionsOf(userId), await passkeysOf(userId)]).toEqual([0, 1]);
  });

  it('that was never given out does nothing', async () => {
    const { passkey, key } = await withPasskey();
    const challenge = Buffer.alloc(32, 7).toString('base64url');
    expect(await signingIn(passkey, { challenge })).toBe('unauthorized');
    expect(await adding(key, newPasskey(), { challenge })).toBe('unprocessable_entity');
  });
});

const wrong: [string, Omit<Given, 'challenge'>][] = [
  ['of another origin', { origin: 'https://payouts.example' }],
  ['for another host', { rpId: 'payouts.example' }],
  ['of a device that nobody unlocked', { verified: false }],
  ['without anybody there', { present: false }],
];

describe('an answer', () => {
  it.each([...wrong, ['made for adding', { type: 'webauthn.create' }]] as const)(
    '%s signs nobody in',
    async (_what, given) => {
      const { passkey, userId } = await withPasskey();
      const challenge = await toSignIn();
      expect(await signingIn(passkey, { challenge, ...given })).toBe('unauthorized');
      expect(await sessionsOf(userId)).toBe(0);
    },
  );

  it.each([...wrong, ['made for signing in', { type: 'webauthn.get' }]] as const)(
    '%s adds no passkey',
    async (_what, given) => {
      const { key, userId } = await person();
      const challenge = await toAdd(key);
      expect(await adding(key, newPasskey(), { challenge, ...given })).toBe('unprocessable_entity');
      expect(await passkeysOf(userId)).toBe(0);
    },
  );

  it('that another key signed signs nobody in', async () => {
    const { passkey, userId } = await withPasskey();
    const impostor = { ...newPasskey().get({ challenge: await toSignIn() }), id: passkey.id };
    const response = { ...impostor, rawId: passkey.id };
    expect((await signInRequest(harness, '/auth/passkey/sign-in', { response })).status).toBe(401);
    expect(await sessionsOf(userId)).toBe(0);
  });

  it('of a passkey that was removed signs nobody in', async () => {
    const { passkey, userId } = await withPasskey();
    await harness.database.pool.query('UPDATE passkey SET removed_at = now() WHERE user_id = $1', [
      userId,
    ]);
    expect(await signingIn(passkey, { challenge: await toSignIn() })).toBe('unauthorized');
  });
});

describe('a counter', () => {
  it('that does not grow is that of a copy, and one that grows signs in', async () => {
    const { passkey, userId } = await withPasskey(5);
    for (const counter of [5, 4, 0]) {
      const challenge = await toSignIn();
      expect(await signingIn(passkey, { challenge, counter })).toBe('unauthorized');
    }
    expect(await signingIn(passkey, { challenge: await toSignIn(), counter: 6 })).toBe('signed in');
    expect(await sessionsOf(userId)).toBe(1);
  });

  it('is looked at again when it is stored: of a device and its copy at once, one signs in', async () => {
    const { passkey, userId } = await withPasskey(5);
    const challenges = [await toSignIn(), await toSignIn()];
    const held = await harness.database.pool.connect();
    try {
      await held.query('BEGIN');
      await held.query('SELECT 1 FROM passkey WHERE user_id = $1 FOR UPDATE', [userId]);
      const both = Promise.all(
        challenges.map((challenge) => signingIn(passkey, { challenge, counter: 6 })),
      );
      await eventually(async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
        return (await harness.database.pool.query(waiting)).rowCount === 2;
      });
      await held.query('COMMIT');
      expect((await both).toSorted()).toEqual(['signed in', 'unauthorized']);
    } finally {
      held.release();
    }
    expect(await sessionsOf(userId)).toBe(1);
  });
});

it('a passkey that is being removed signs nobody in', async () => {
  const { passkey, userId } = await withPasskey();
  const challenge = await toSignIn();
  const held = await harness.database.pool.connect();
  try {
    await held.query('BEGIN');
    await held.query('UPDATE passkey SET removed_at = now() WHERE user_id = $1', [userId]);
    const asked = signingIn(passkey, { challenge });
    await sessionsWait(harness.database.pool, 1);
    await held.query('COMMIT');
    expect(await asked).toBe('unauthorized');
  } finally {
    held.release();
  }
  expect(await sessionsOf(userId)).toBe(0);
});

it('a passkey is added by who signed in a moment ago, also when the browser answers', async () => {
  const { key, id, userId } = await person();
  const challenge = await toAdd(key);
  await harness.database.pool.query(
    `UPDATE user_session SET created_at = created_at - interval '15 minutes' WHERE id = $1`,
    [id],
  );
  expect(await adding(key, newPasskey(), { challenge })).toBe('forbidden');
  expect(await passkeysOf(userId)).toBe(0);
});

it('what signs in sets a cookie, and what is refused sets none', async () => {
  const { passkey } = await withPasskey();
  const challenge = await toSignIn();
  expect(cookieOf(await signIn(passkey, { challenge }))).not.toBeNull();
  expect(cookieOf(await signIn(passkey, { challenge }))).toBeNull();
});
