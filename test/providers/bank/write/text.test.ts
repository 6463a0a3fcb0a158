import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bankReference,
  idOfBankReference,
  referenceFault,
} from '../../../../src/providers/bank/text/reference.ts';
import { fitCode, fitName, fitText } from '../../../../src/providers/bank/text/fit.ts';
import {
  basicLatin,
  printableAscii,
  transliterate,
} from '../../../../src/providers/bank/text/transliterate.ts';
import { checkOf, type Findings } from '../../../../src/providers/bank/write-problems.ts';
import { idPrefixes, newId, type Resource } from '../../../../src/values/ids.ts';
import { anyText } from './texts.ts';

describe('a text for a bank', () => {
  it.each([
    ['Jürgen Groß', 'Jurgen Gross'],
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Þór Æðey', 'Thor Aedey'],
    ['Владимир Щукин', 'Vladimir Shchukin'],
    ['Ελένη', 'Eleni'],
    ['خالد', 'khald'],
    ['김철수', 'GimCheolSu'],
    ['東京', 'DongJing'],
    ['さくら', 'sakura'],
    ['हिन्दी', 'hindi'],
    ['O’Brien & Søn', "O'Brien + Son"],
    ['Zoe\u0308', 'Zoe'],
    ['50 € / 3 m²', '50 EUR / 3 m2'],
    ['a_b@c "d" [e]; {f} | 100%', "a-b(at)c 'd' (e), (f) / 100."],
    [' a\u00a0\u2003b\r\nc\t', 'a b c'],
    ['a\u200d\u202eb', 'ab'],
    ['', ''],
    ['…', '...'],
  ])('%j becomes %j', (given, expected) => {
    expect(transliterate(given, basicLatin)).toEqual({ text: expected, lost: [] });
  });

  it.each([
    ['Cyrillic', 'Андрей Ёжиков Їжак Ўзбек', 'Andrey Ezhikov Izhak Uzbek'],
    ['Macedonian', 'Ѓорѓи Ќосев', 'Gorgi Kosev'],
    ['Greek', 'Ελένη Άγγελος', 'Eleni Aggelos'],
    ['Latin', 'Zoë Nguyễn Ångström Çelik', 'Zoe Nguyen Angstrom Celik'],
    ['Hangul', '김철수', 'GimCheolSu'],
    ['Kana', 'ガッツ パン', 'gattsu pan'],
    ['Arabic', 'أحمد آدم مؤمن', "'hmd adm mu'mn"],
    ['Devanagari', 'ऩऱऴ', 'nrl'],
    ['Tamil', 'கொடி', 'koti'],
  ])('of %s is the same whether its letters come composed or in parts', (_script, name, latin) => {
    const written = { text: latin, lost: [] };
    expect(name.normalize('NFD')).not.toBe(name.normalize('NFC'));
    expect(transliterate(name.normalize('NFC'), basicLatin)).toEqual(written);
    expect(transliterate(name.normalize('NFD'), basicLatin)).toEqual(written);
  });

  it('loses pictures, and spells none of them out', () => {
    const lost = (text: string) => transliterate(text, basicLatin).lost;
    expect(transliterate('Ana 😀', basicLatin)).toEqual({ text: 'Ana .', lost: ['😀'] });
    expect(lost('❤️')).toEqual(['❤']);
    expect(lost('👩‍👧')).toEqual(['👩', '👧']);
    expect(lost('👍🏽')).toEqual(['👍', '🏽']);
    expect(lost('🇩🇪')).toEqual(['🇩', '🇪']);
    expect(transliterate('Acme™ © ① №5', basicLatin).text).toBe('AcmeTM (C) 1 No5');
  });

  it('names what nothing stands for, and marks its place', () => {
    const text = 'A\u{12000}B\ue000C\ud800';
    const lost = ['\u{12000}', '\ue000', '\ud800'];
    expect(transliterate(text, basicLatin)).toEqual({ text: 'A.B.C.', lost });
  });

  it('keeps what ASCII has where ASCII is permitted', () => {
    expect(transliterate('Smith & Söhne #1 <x>', printableAscii).text).toBe('Smith & Sohne #1 <x>');
  });

  it('holds permitted characters only, stays as it is the second time, and loses no letter', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(basicLatin, printableAscii), (given, permitted) => {
        const { text, lost } = transliterate(given, permitted);
        for (const character of text) expect(character).toMatch(permitted);
        expect(text).toBe(text.trim());
        expect(transliterate(text, permitted)).toEqual({ text, lost: [] });
        const letters = [...given.normalize('NFC')].filter((one) => /[\p{L}\p{N}]/u.test(one));
        const signs = text.replaceAll(' ', '');
        expect(signs.length).toBeGreaterThanOrEqual(letters.length);
        expect(lost.length).toBeLessThanOrEqual(signs.length);
      }),
    );
  });
});

describe('a text in a field', () => {
  const room = { permitted: basicLatin, longest: 10 };
  const fitted = (fit: typeof fitText, value: string) => {
    const findings: Findings = { problems: [], changes: [] };
    const text = fit(value, 'name', room, checkOf('pay_1', findings));
    return {
      text,
      codes: findings.problems.map(({ code }) => code),
      kinds: findings.changes.map(({ kind }) => kind),
    };
  };

  it('is noted when it is changed, and cut at its end only', () => {
    const same = { text: 'Ana Lima', codes: [], kinds: [] };
    expect(fitted(fitText, 'Ana Lima')).toEqual(same);
    expect(fitted(fitText, 'Ána Lima')).toEqual({ ...same, kinds: ['transliterated'] });
    const cut = { text: 'Ana Maria', codes: [], kinds: ['shortened'] };
    expect(fitted(fitText, 'Ana Maria Lima')).toEqual(cut);
  });

  it('is refused as a name when it names nobody any more', () => {
    const faults = (value: string) => fitted(fitName as typeof fitText, value).codes;
    expect(faults('Ana')).toEqual([]);
    expect(faults('  ')).toEqual(['missing']);
    expect(faults('-.-')).toEqual(['unwritable']);
    expect(faults('\u200d')).toEqual(['unwritable']);
    expect(faults('\u{12000}')).toEqual(['unwritable']);
    expect(faults('Ana \u{12000}')).toEqual(['unwritable']);
    expect(faults('...........Ana')).toEqual(['unwritable']);
    expect(faults('😀')).toEqual(['unwritable']);
    expect(faults('Ana 😀')).toEqual(['unwritable']);
  });

  it('is never cut as a code', () => {
    expect(fitted(fitCode, '1234567890').codes).toEqual([]);
    expect(fitted(fitCode, '12345678901').codes).toEqual(['too_long']);
  });
});

describe('a reference', () => {
  it.each(Object.keys(idPrefixes) as Resource[])(
    'stands for the id of a %s, also in capitals',
    (resource) => {
      const id = newId(resource);
      const reference = bankReference(id);
      expect(referenceFault(reference)).toBeNull();
      expect(idOfBankReference(reference)).toBe(id);
      expect(idOfBankReference(` ${reference.toUpperCase()} `)).toBe(id);
    },
  );

  it('is none of ours when it has another form', () => {
    for (const text of ['NOTPROVIDED', '', 'pay-', 'pay-01k9', `pay-${'u'.repeat(26)}`, '7-1']) {
      expect(idOfBankReference(text)).toBeNull();
    }
  });

  it('has 35 permitted characters and no meaning of its own in its slashes', () => {
    expect(referenceFault("A/b-1?:().,'+ 2")).toBeNull();
    expect(referenceFault('1'.repeat(35))).toBeNull();
    for (const text of ['', '1'.repeat(36), '/a', 'a/', 'a//b', 'ä', 'a_b', 'a ', 'a\nb', 'a&b']) {
      expect([text, referenceFault(text)]).toEqual([text, expect.any(String)]);
    }
  });
});
