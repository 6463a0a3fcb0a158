import { expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrors } from '../../src/values/field-errors.ts';
import { text } from '../../src/values/fields.ts';

it('says in plain words what is expected, and not in those of the validator', () => {
  const amount = z.union([z.number(), z.string()]);
  const schema = z.strictObject({
    text: text(5),
    kind: z.enum(['a', 'b']),
    list: z.array(z.int().min(1).max(9)).min(1).max(2),
    amount,
    flag: z.boolean(),
    free: z.record(z.string(), z.string()),
    part: z.number().gt(0).lt(1),
  });
  const told = (input: object) => {
    const result = schema.partial().safeParse(input);
    return fieldErrors(result.error ?? new z.ZodError([]), input).map((e) => e.message);
  };
  expect(told({ text: '' })).toEqual(['Must not be empty.']);
  expect(told({ text: '123456' })).toEqual(['Must have at most 5 characters.']);
  expect(told({ text: 1, flag: 'x' })).toEqual(['Must be a string.', 'Must be true or false.']);
  expect(told({ kind: 'c' })).toEqual(['Must be one of: a, b.']);
  expect(told({ list: [1, 2, 3] })).toEqual(['Must have at most 2 items.']);
  expect(told({ list: {} })).toEqual(['Must be a list.']);
  expect(told({ list: [0, 10] })).toEqual(['Must be 1 or more.', 'Must be 9 or less.']);
  expect(told({ list: [1.5] })).toEqual(['Must be an integer.']);
  expect(told({ amount: [] })).toEqual(['Must be a number or a string.']);
  expect(told({ free: 'x' })).toEqual(['Must be an object.']);
  expect(told({ part: 0 })).toEqual(['Must be more than 0.']);
  expect(told({ part: 1 })).toEqual(['Must be less than 1.']);
  expect(told({ other: 1 })).toEqual(['There is no such field.']);
});
