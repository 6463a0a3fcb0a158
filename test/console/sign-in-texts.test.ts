import { expect, test } from 'vitest';
import { texts } from '../../console/src/texts/texts.ts';
import { oneStop } from '../../console/src/values/one-stop.ts';

test('a sentence that ends with the name of a company has one full stop', () => {
  const { at, joins } = texts.signIn.link;
  const ends = [
    at({ businesses: 'Demo Inc.' }),
    at({ businesses: 'Demo' }),
    joins({ business: 'Demo Inc.' }),
  ];
  expect(ends.map(oneStop)).toEqual([
    'It opens the console of Demo Inc.',
    'It opens the console of Demo.',
    'You accept the invitation of Demo Inc.',
  ]);
});
