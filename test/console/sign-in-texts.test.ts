import { expect, test } from 'vitest';
import { texts } from '../../console/src/texts/en.ts';

test('a sentence that ends with the name of a company has one full stop', () => {
  const { at, joins } = texts.signIn.link;
  expect([at('Demo Inc.'), at('Demo'), joins('Demo Inc.')]).toEqual([
    'It opens the console of Demo Inc.',
    'It opens the console of Demo.',
    'You accept the invitation of Demo Inc.',
  ]);
});
