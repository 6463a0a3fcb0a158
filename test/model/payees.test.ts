import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGraphql } from '../../schema/server.ts';
import { loadConfig } from '../../src/process/config.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { makeTenant } from '../support/factory.ts';
import { apply, type Command, type Fields, type Model } from './payee-model.ts';
import { expectInvariants, expectSame } from './payee-state.ts';
import { attempt, newWorld, sameEmail, type World } from './payee-world.ts';
import { longTestMs } from '../support/patience.ts';

let database: TestDatabase;
let services: Services;
let run: ReturnType<typeof createGraphql>['run'];

beforeAll(async () => {
  database = await testDatabase();
  services = createServices(
    loadConfig({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '10',
      COLLECTION_MAILS_PER_DAY_THIN: '1000000',
      MAILS_PER_MAILBOX_HOUR: '1000000',
      MAILS_PER_MAILBOX_DAY: '1000000',
      // Nobody answers: the test says how an enrollment ends.
      ENROLL_WAIT_MS: '1',
    }),
    'api',
  );
  run = createGraphql(services).run;
});
afterAll(async () => {
  await closeServices(services);
  await database.drop();
});

const freshWorld = async (): Promise<World> =>
  newWorld(services, database.pool, (await makeTenant({ database })).tenantId);

// Few values, so that commands meet: an address that is taken, a write that changes nothing.
const email = fc.nat({ max: 9 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const field = {
  phone: maybe(fc.constantFrom('+441234567', '+441234568')),
  nickname: maybe(fc.constantFrom('A', 'B')),
  firstName: fc.constantFrom('Ada', 'Grace'),
  dateOfBirth: fc.option(fc.constantFrom('1990-01-01', '1991-01-01'), { nil: null, freq: 6 }),
  taxId: maybe(fc.constantFrom('T1', 'T2')),
  postalAddress: maybe(fc.constantFrom('1 High Street', '2 High Street')),
};
const fields: fc.Arbitrary<Fields> = fc.record({ email, ...field });
const change: fc.Arbitrary<Partial<Fields>> = fc.oneof(
  fc.record({ email }),
  ...Object.entries(field).map(([name, value]) => fc.record({ [name]: value })),
  fc.record(field, { requiredKeys: [] }),
);
const place = fc.nat({ max: 1 });
// What leads on is more frequent than what stops, or few sequences would come far.
const mostly = fc.constantFrom(true, true, true, false);
const validated = mostly;
const by = fc.constantFrom('operator' as const, 'provider' as const);
const kind = <K extends string>(name: K) => fc.constant(name);

const onePayee = [
  fc.record({ kind: kind('update'), payee: place, change }),
  fc.record({ kind: fc.constantFrom('acknowledge' as const), payee: place }),
  fc.record({ kind: fc.constantFrom('suspend' as const, 'reinstate' as const), payee: place, by }),
  fc.record({ kind: kind('register'), payee: place, validated }),
  fc.record({ kind: kind('replace'), payee: place, account: place, validated }),
  fc.record({ kind: kind('enroll'), payee: place, account: place }),
  fc.record({ kind: kind('enroll'), payee: place, account: place }),
  fc.record({ kind: kind('outcome'), payee: place, accepted: mostly }),
  fc.record({
    kind: kind('invite'),
    payee: place,
    scope: fc.constantFrom('full_onboarding' as const, 'bank_details' as const),
  }),
  fc.record({
    kind: fc.constantFrom('cancelLink' as const, 'expireLink' as const),
    payee: place,
    link: fc.nat({ max: 2 }),
  }),
  fc.record({
    kind: kind('standing'),
    payee: place,
    enrollment: fc.nat({ max: 2 }),
    event: fc.constantFrom('suspended' as const, 'reinstated' as const, 'closed' as const),
    at: fc.nat({ max: 5 }),
  }),
];
const create = fc.record({
  kind: kind('create'),
  fields,
  acknowledged: mostly,
  bankDetails: fc.boolean(),
});
const archive = fc.record({ kind: kind('archive'), payee: place });
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: create, weight: 4 },
  ...onePayee.map((arbitrary) => ({ arbitrary: arbitrary as fc.Arbitrary<Command>, weight: 4 })),
  // For good, so it is rarer than what comes before it.
  { arbitrary: archive, weight: 1 },
);

/** The model knows addresses by what they are compared by, and by how they are written. */
const knownEmail = (email: number) => ({ email: sameEmail(email), writtenEmail: email });

function forModel(command: Command): Command {
  if (command.kind === 'create') {
    return { ...command, fields: { ...command.fields, ...knownEmail(command.fields.email) } };
  }
  if (command.kind !== 'update' || command.change.email === undefined) return command;
  return { ...command, change: { ...command.change, ...knownEmail(command.change.email) } };
}

class Step implements fc.AsyncCommand<Model, World> {
  readonly command: Command;
  constructor(command: Command) {
    this.command = command;
  }
  check({ payees }: Readonly<Model>): boolean {
    return this.command.kind === 'create' || this.command.payee < payees.length;
  }
  async run(model: Model, world: World): Promise<void> {
    const expected = apply(model, forModel(this.command));
    expect(await attempt(world, this.command), this.toString()).toBe(expected);
    await expectSame(model, world, run);
    await expectInvariants(world);
  }
  toString(): string {
    return JSON.stringify(this.command);
  }
}

/** A payee with two accounts that the provider knows, which few random sequences come to. */
const secondAccount: readonly Command[] = [
  {
    kind: 'create',
    fields: {
      email: 18,
      phone: null,
      nickname: null,
      firstName: 'Ada',
      dateOfBirth: '1990-01-01',
      taxId: null,
      postalAddress: null,
    },
    acknowledged: true,
    bankDetails: true,
  },
  { kind: 'register', payee: 0, validated: true },
  ...[0, 1].flatMap((account): Command[] => [
    { kind: 'enroll', payee: 0, account },
    { kind: 'outcome', payee: 0, accepted: true },
  ]),
];

// A failure prints the seed and the path that repeat it.
it('does in any order of commands what the model does', { timeout: longTestMs }, async () => {
  const steps = fc.commands([anyCommand.map((command) => new Step(command))], {
    maxCommands: 60,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), steps, async (started, commands) => {
      const world = await freshWorld();
      const model: Model = { payees: [] };
      for (const command of started ? secondAccount : []) await new Step(command).run(model, world);
      await fc.asyncModelRun(() => ({ model, real: world }), commands);
    }),
    { numRuns: 110 },
  );
});

it('keeps the invariants when commands race', { timeout: longTestMs }, async () => {
  const burst = fc.array<Command>(fc.oneof(...onePayee, archive), {
    minLength: 8,
    maxLength: 8,
    size: 'max',
  });
  const bursts = fc.array(burst, { minLength: 4, maxLength: 4, size: 'max' });
  await fc.assert(
    fc.asyncProperty(
      fc.array(create, { minLength: 4, maxLength: 4 }),
      bursts,
      async (all, races) => {
        const world = await freshWorld();
        for (const [index, one] of all.entries()) {
          // All there and all different: what races is on a few payees.
          const own = { ...one.fields, email: 20 + 2 * index, dateOfBirth: '1990-01-01' };
          expect(await attempt(world, { ...one, fields: own })).toBeNull();
        }
        for (const race of races) {
          await Promise.all(race.map((command) => attempt(world, command)));
          await expectInvariants(world);
        }
      },
    ),
    { numRuns: 80 },
  );
});
