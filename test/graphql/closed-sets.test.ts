import { getNamedType, isEnumType, isObjectType, type GraphQLEnumType } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { deliveredTypes, eventTypes } from '../../src/domain/event/types.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

function fieldOf(typeName: string, name: string) {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`${typeName} is no object`);
  const field = type.getFields()[name];
  if (field === undefined) throw new Error(`${typeName} has no ${name}`);
  return field;
}

function valuesOf(typeName: string, name: string): string[] {
  const type = getNamedType(fieldOf(typeName, name).type);
  expect(isEnumType(type), `${typeName}.${name}`).toBe(true);
  return (type as GraphQLEnumType).getValues().map((value) => value.name);
}

it("names where a provider's contradiction can stand, as the database does", async () => {
  const { rows } = await database.pool.query<{ check: string }>(
    `SELECT pg_get_constraintdef(oid) AS check FROM pg_constraint
     WHERE conname = 'provider_contradiction_source_check'`,
  );
  const stored = [...String(rows[0]?.check).matchAll(/'(\w+)'/g)].map(([, value = '']) => value);
  expect(valuesOf('OperatorOpenContradiction', 'source').toSorted()).toEqual(stored.toSorted());
});

it('names what a circuit can be', () => {
  expect(valuesOf('OperatorCircuit', 'state')).toEqual(['closed', 'half_open', 'open']);
});

// A value of an enum has no dot, and an event type is spelled the same on every surface.
it('lists the event types where they are texts', () => {
  for (const type of eventTypes) {
    expect(fieldOf('WebhookSubscription', 'enabledEvents').description).toContain(type);
  }
  for (const type of deliveredTypes) expect(fieldOf('Event', 'type').description).toContain(type);
});
