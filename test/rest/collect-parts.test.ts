import { expect, test } from 'vitest';
import { accountForm } from '../../rest/collect/bank.ts';
import { countriesIn, currenciesIn, suggestedCurrency } from '../../rest/collect/countries.ts';
import { faultText } from '../../rest/collect/controls.ts';
import { PageFailure } from '../../rest/collect/failure.ts';
import { languages, textsFor, type Language } from '../../rest/collect/languages.ts';
import { createUploadSlots } from '../../rest/collect/upload-slots.ts';
import { corridorRequirements } from '../../src/domain/bank-account/corridors.ts';
import { countryCodes } from '../../src/reference/countries.ts';
import { isCurrency } from '../../src/reference/currencies.ts';

const all = Object.keys(languages) as Language[];

test('every country but Antarctica has a currency to suggest', () => {
  const without = countryCodes.filter((country) => !isCurrency(suggestedCurrency(country)));
  expect(without).toEqual(['AQ']);
});

test('the questions of every country name an account', () => {
  for (const country of countryCodes) {
    const { main, either } = accountForm(corridorRequirements(country));
    const needed = main.filter(({ optional }) => optional !== true);
    expect(needed.length, country).toBeGreaterThan(0);
    expect(either, country).toBe(main.some(({ text }) => text === 'bankCode'));
  }
});

test('each language names every country and currency, and sorts them its own way', () => {
  for (const language of all) {
    expect(countriesIn(language).filter(({ code, name }) => code === name)).toEqual([]);
    const unnamed = currenciesIn(language).filter(({ code, name }) => code === name);
    // Unicode's data does not name these two in every language.
    expect(unnamed.filter(({ code }) => !['UYW', 'VED'].includes(code))).toEqual([]);
  }
  const germans = countriesIn('de').map(({ name }) => name);
  expect(germans.indexOf('Österreich')).toBeLessThan(germans.indexOf('Polen'));
});

/** The leaves of a language's texts by their path. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value ?? {}).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

/** Words that are the same in some languages, or names. */
const shared =
  /\.(errorPrefix|iban|clabe|sortCode|usRouting|name|locale|bic|hint)\b|\.(label|title|bank|page|send)$/;

test('no language has an empty text or repeats the English one', () => {
  const repeated: string[] = [];
  const english = new Map(textsOf(languages.en));
  for (const language of all) {
    const texts = textsOf(languages[language]);
    for (const [path, text] of texts) {
      if (!path.endsWith('.hint')) expect(text.trim(), `${language}${path}`).not.toBe('');
      if (language === 'en' || shared.test(path)) continue;
      if (english.get(path) === text) repeated.push(`${language}${path}: ${text}`);
    }
  }
  expect(repeated).toEqual([]);
});

/** The detail codes that a form can be answered with. */
const codes = [
  'too_long',
  'too_short',
  'invalid_format',
  'invalid_value',
  'iban_checksum_failed',
  'iban_format_invalid',
  'iban_country_mismatch',
  'iban_required',
  'aba_checksum_failed',
  'aba_format_invalid',
  'account_number_format_invalid',
  'bic_format_invalid',
  'clabe_checksum_failed',
  'pix_key_format_invalid',
  'file_type_unsupported',
  'file_too_large',
];

test('each detail code has a sentence of its own, and an unknown one a general sentence', () => {
  const field = { name: 'iban', text: 'iban', kind: 'text' } as const;
  for (const texts of Object.values(textsFor(10))) {
    const sentences = codes.map((code) => faultText(texts, field, code));
    expect(new Set(sentences).size).toBe(codes.length);
    expect(sentences).not.toContain(texts.faults.other);
    expect(faultText(texts, field, 'a_code_of_tomorrow')).toBe(texts.faults.other);
    expect(faultText(texts, field, 'required')).toBe(`${texts.fields.iban.missing}.`);
  }
});

/** Runs uploads of links of their own, from clients of their own. */
function uploads(slots: number, waitMs: number) {
  const under = createUploadSlots(slots, waitMs);
  let number = 0;
  return <T>(task: () => Promise<T>) => {
    number += 1;
    return under.run(`link-${number}`, `client-${number}`, task);
  };
}

test('as many uploads as there are slots run, in order, and who waits too long is refused', async () => {
  const run = uploads(1, 20);
  const order: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = run(async () => {
    order.push('first');
    await held;
  });
  const second = run(() => Promise.resolve(order.push('second')));
  await expect(second).rejects.toThrow(PageFailure);
  release();
  await first;
  await run(() => Promise.resolve(order.push('third')));
  expect(order).toEqual(['first', 'third']);
  // A task that fails gives its slot back, too.
  const patient = uploads(1, 60_000);
  await expect(patient(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(patient(() => Promise.resolve('free'))).resolves.toBe('free');
});

test('few uploads wait for a slot, so that who comes late is told at once', async () => {
  const run = uploads(1, 60_000);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 11 }, () => run(() => held));
  await expect(run(() => held)).rejects.toMatchObject({ kind: 'busy', status: 503 });
  release();
  await Promise.all(waiting);
});

test('uploads have one slot for a link and two for a client, and leave the others theirs', async () => {
  const slots = createUploadSlots(3, 60_000);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const inside = [slots.run('a', '192.0.2.1', () => held), slots.run('b', '192.0.2.1', () => held)];
  const busy = { kind: 'busy', status: 429 };
  const run = (link: string, client: string) =>
    slots.run(link, client, () => Promise.resolve('in'));
  await expect(run('a', '192.0.2.2')).rejects.toMatchObject(busy);
  await expect(run('c', '192.0.2.1')).rejects.toMatchObject(busy);
  await expect(run('c', '192.0.2.2')).resolves.toBe('in');
  release();
  await Promise.all(inside);
  await expect(run('a', '192.0.2.1')).resolves.toBe('in');
});
