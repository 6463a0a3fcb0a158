import { beforeEach, expect, it } from 'vitest';
import { userOf } from '../../../src/access/scope.ts';
import { readStandings } from '../../../src/domain/approval-policy/standing.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { newId } from '../../../src/values/ids.ts';
import { DomainError } from '../../../src/errors/domain-error.ts';
import type { Call } from '../../../src/process/services.ts';
import { approvalChecks } from '../../../tools/verify/approval-checks.ts';
import { always, giveGroup, givePolicy, members } from '../../support/approval-world.ts';
import { decide, newPayout } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { randomFrom } from '../../support/random.ts';
import { pickers } from '../../support/random-policy.ts';

const world = usePayoutWorld({ fresh: true });
const { sql, stateOf } = world;

/** A person, and what is known of them without asking the service. */
interface Somebody {
  readonly call: Call;
  readonly user: string;
  readonly role: string;
  readonly groups: Set<string>;
  gone: boolean;
}

interface Asked {
  readonly approvals: number;
  readonly groups: readonly string[];
  readonly distinctFrom: readonly ('creator' | 'earlier_approvers')[];
}

const seed = Math.floor(Math.random() * 2 ** 31);
const pick = pickers(randomFrom(seed));
const roles = ['owner', 'admin', 'approver'] as const;

let people: Somebody[];
beforeEach(async () => {
  people = [];
  for (const role of roles) {
    for (const call of await members(world, role, role === 'approver' ? 3 : 2)) {
      const user = userOf(call.scope) ?? '';
      people.push({ call, user, role, groups: new Set([role]), gone: false });
    }
  }
  // Nobody else is there: who registered the business leaves it.
  await sql('UPDATE membership SET removed_at = now() WHERE user_id <> ALL ($1)', [
    people.map(({ user }) => user),
  ]);
});

async function newGroup(): Promise<string> {
  const some = pick.some(people);
  const id = await giveGroup(
    world,
    some.map(({ call }) => call),
  );
  for (const one of some) one.groups.add(id);
  return id;
}

/** Who may give an approval of a step, by the words of the rule; a reference that asks nobody. */
function fit({ groups, distinctFrom }: Asked, creator: string, earlier: ReadonlySet<string>) {
  return people.filter(
    (one) =>
      !one.gone &&
      groups.some((group) => one.groups.has(group)) &&
      !(distinctFrom.includes('creator') && one.user === creator) &&
      !(distinctFrom.includes('earlier_approvers') && earlier.has(one.user)),
  );
}

interface Vote {
  readonly who: string;
  /** For whom: the same person, or one who has delegated to them. */
  readonly voice: string;
  readonly demands: readonly number[];
}

const votesOn = (id: string): Promise<Vote[]> =>
  sql<Vote & Record<string, unknown>>(
    `SELECT submitted_by ->> 'user_id' AS who, coalesce(on_behalf_of, submitted_by ->> 'user_id') AS voice, demands
     FROM payout_decision WHERE payout_id = $1`,
    [id],
  );

/** For whom each step of the payout has approvals by the decisions that are stored. */
async function approversOf(id: string, steps: number): Promise<Set<string>[]> {
  const rows = await votesOn(id);
  return Array.from(
    { length: steps },
    (_none, place) =>
      new Set(rows.flatMap(({ voice, demands }) => (demands.includes(place) ? [voice] : []))),
  );
}

/** Some stand in for others, as a command would have written it. */
async function standIn(): Promise<void> {
  for (let n = pick.below(4); n > 0; n -= 1) {
    const [from, to] = [pick.one(people), pick.one(people)];
    if (from === to) continue;
    await sql(
      `INSERT INTO approval_delegation (tenant_id, id, from_user, to_user, reason, begins_at, ends_at)
       VALUES ($1, $2, $3, $4, 'away', now(), now() + interval '1 day')`,
      [world.tenant.tenantId, newId('approvalDelegation'), from.user, to.user],
    );
  }
}

/** A person speaks for one alone, and nobody is spoken for by two in one step. */
function expectOneVoteEach(votes: readonly Vote[], creator: string): void {
  for (const { who, voice, demands } of votes) {
    const others = votes.filter((other) => other.demands.some((place) => demands.includes(place)));
    expect(new Set(votes.filter((one) => one.who === who).map((one) => one.voice)).size).toBe(1);
    expect(others.filter((other) => other.voice === voice || other.who === voice)).toHaveLength(1);
    if (who !== voice) expect([who, voice]).not.toContain(creator);
  }
}

async function leave(): Promise<void> {
  const one = pick.one(people);
  one.gone = true;
  await sql('UPDATE membership SET removed_at = now() WHERE user_id = $1', [one.user]);
}

/** Some press at once; whoever is refused is refused by name. */
async function press(id: string): Promise<void> {
  const some = pick.some(people).filter(({ gone }) => !gone);
  const ended = await Promise.allSettled(some.map(({ call }) => decide(call, id, 'approved')));
  for (const one of ended) {
    if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(DomainError);
  }
}

const brokenPromises = async (): Promise<string[]> => {
  const broken: string[] = [];
  for (const { promise, sql: text } of approvalChecks) {
    if ((await sql(text)).length > 0) broken.push(promise);
  }
  return broken;
};

it.each(Array.from({ length: 12 }, (_none, round) => round))(
  `never approves with less than was demanded, and is never stuck without a name (seed ${seed}, world %i)`,
  async () => {
    const groups = [...roles, await newGroup(), await newGroup()];
    const steps: Asked[] = Array.from({ length: 1 + pick.below(3) }, () => ({
      approvals: 1 + pick.below(3),
      groups: pick.some(groups),
      distinctFrom: pick.maybe(0.6) ? pick.some(['creator', 'earlier_approvers'] as const) : [],
    }));
    await givePolicy(world, [
      always(
        ...steps.map((step) => ({
          ...step,
          groups: [...step.groups],
          distinctFrom: [...step.distinctFrom],
        })),
      ),
    ]);
    const creator = pick.one(people.filter(({ role }) => role !== 'approver'));
    await standIn();
    const id = await newPayout(creator.call, world.payee);
    for (let round = 0; round < 6 && (await stateOf(id)) === 'pending_approval'; round += 1) {
      if (pick.maybe(0.25)) await leave();
      await press(id);
    }

    const given = await approversOf(id, steps.length);
    const met = steps.map(({ approvals }, place) => (given[place]?.size ?? 0) >= approvals);
    expect((await stateOf(id)) === 'approved').toBe(met.every(Boolean));
    for (const [place, step] of steps.entries()) {
      const earlier = new Set(given.slice(0, place).flatMap((set) => [...set]));
      for (const user of given[place] ?? []) {
        const one = people.find((other) => other.user === user);
        expect(step.groups.some((group) => one?.groups.has(group))).toBe(true);
        if (step.distinctFrom.includes('creator')) expect(user).not.toBe(creator.user);
        if (step.distinctFrom.includes('earlier_approvers')) expect(earlier).not.toContain(user);
        // Steps are in order: nobody counts for one before those in front of it are met.
        expect(met.slice(0, place).every(Boolean)).toBe(true);
      }
    }
    expect(await brokenPromises()).toEqual([]);
    const votes = await votesOn(id);
    expectOneVoteEach(votes, creator.user);

    if ((await stateOf(id)) === 'approved') return;
    const open = met.indexOf(false);
    const step = steps[open];
    if (step === undefined) throw new Error('a payout that is not approved has an open step');
    const has = given[open] ?? new Set();
    const earlier = new Set(given.slice(0, open).flatMap((set) => [...set]));
    // Who has spoken for somebody else does not approve by themselves, too.
    const spoke = new Set(votes.flatMap(({ who, voice }) => (who === voice ? [] : [who])));
    const left = fit(step, creator.user, earlier).filter(
      ({ user }) => !has.has(user) && !spoke.has(user),
    );
    const missing = step.approvals - has.size;
    const payout = await readPayout(world.call, id);
    const [demands = []] = await readStandings(world.call, [payout.id]);
    const stands = demands.find(({ isOpen }) => isOpen);
    expect(stands).toMatchObject({
      step: open + 1,
      counted: has.size,
      nobody: left.length < missing,
    });
    // Whoever is left may approve, and the last of them completes the step.
    for (const { call } of left.slice(0, missing)) await decide(call, id, 'approved');
    const after = (await approversOf(id, steps.length))[open]?.size ?? 0;
    expect(after).toBe(has.size + Math.min(left.length, missing));
  },
);
