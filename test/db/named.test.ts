import { expect, it } from 'vitest';
import { named, namedOfPlatform } from '../../src/db/named.ts';

it('numbers the names in the order of the parameters, however often they stand', () => {
  const statement = named(
    'find',
    ['tenant', 'payout'],
    'SELECT 1 FROM payout WHERE id = @payout AND tenant_id = @tenant AND @payout::text IS NOT NULL',
  );
  expect(statement.text).toBe(
    'SELECT 1 FROM payout WHERE id = $2 AND tenant_id = $1 AND $2::text IS NOT NULL',
  );
  expect(statement.of({ payout: 'pay_1', tenant: 'ten_1' })).toEqual(['ten_1', 'pay_1']);
});

it('leaves operators and texts alone', () => {
  const text = `SELECT details @> @part, 'a@b.example', '@part' FROM t`;
  expect(namedOfPlatform('contains', ['part'], text).text).toBe(
    `SELECT details @> $1, 'a@b.example', '@part' FROM t`,
  );
});

it('refuses a name that is not declared, a parameter without use, and a tenant that is not the first', () => {
  expect(() => named('wrong', ['id', 'tenant'], 'SELECT @tenant, @id')).toThrow(
    'wrong: the first parameter is no tenant',
  );
  expect(() => named('wrong', ['tenant'], 'SELECT @tenant, @other')).toThrow(
    'wrong: @other is not among the parameters',
  );
  expect(() => named('wrong', ['tenant', 'spare'], 'SELECT @tenant')).toThrow(
    'wrong: no use of spare',
  );
});
