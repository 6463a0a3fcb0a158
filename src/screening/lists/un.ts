import { countryByName } from '../../reference/country-names.ts';
import type { XmlNode } from '../../providers/bank/iso20022/read-node.ts';
import { distinctIntervals, fromIso, fromYears, interval, type Interval } from './dates.ts';
import {
  distinct,
  distinctNames,
  type Bytes,
  type EntryType,
  type ListEntry,
  type ListItem,
  type ListedIdentifier,
  type ListedName,
} from './entry.ts';
import { identifierClass } from './ofac-ids.ts';
import { ListProblem } from './problem.ts';
import { firstText, misplaced, nodesAt, readListXml, textsAt } from './xml.ts';

const types: Readonly<Record<string, EntryType>> = {
  INDIVIDUAL: 'person',
  ENTITY: 'organisation',
};

/** `na` stands where the list knows no name. */
const isName = (text: string): boolean => text !== '' && text.toLowerCase() !== 'na';

const parts = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'] as const;

/** Several names in one element: with semicolons, or numbered `a)`, `b)`. */
const packed = (text: string): string[] =>
  text
    .split(/;|(?:^|\s)[a-z]\)\s/)
    .map((one) => one.trim())
    .filter(isName);

function aliasesOf(node: XmlNode, type: string): ListedName[] {
  return nodesAt(node, `${type}_ALIAS`).flatMap((alias) => {
    const quality = firstText(alias, 'QUALITY').toLowerCase();
    return textsAt(alias, 'ALIAS_NAME')
      .flatMap(packed)
      .map((text): ListedName => ({
        text,
        role: quality.startsWith('f.k.a') ? 'former' : 'alias',
        weak: quality === 'low',
      }));
  });
}

function namesOf(node: XmlNode, type: string): ListedName[] {
  const whole = parts
    .map((part) => firstText(node, part))
    .filter(isName)
    .join(' ');
  const [primary = '', ...others] = type === 'ENTITY' ? packed(whole) : [whole];
  const alias = (text: string): ListedName => ({ text, role: 'alias', weak: false });
  return distinctNames([
    { text: primary, role: 'primary', weak: false },
    ...others.map(alias),
    ...textsAt(node, 'NAME_ORIGINAL_SCRIPT').map(alias),
    ...aliasesOf(node, type),
  ]);
}

function birthOf(node: XmlNode): Interval | null {
  const about = firstText(node, 'TYPE_OF_DATE').startsWith('APPROX');
  const [date, year] = [firstText(node, 'DATE'), firstText(node, 'YEAR')];
  if (date !== '') return fromIso(date, about);
  if (year !== '') return interval(Number(year), null, null, about);
  return fromYears(firstText(node, 'FROM_YEAR'), firstText(node, 'TO_YEAR'), about);
}

function identifierOf(node: XmlNode): ListedIdentifier[] {
  const number = firstText(node, 'NUMBER');
  if (number === '') return [];
  const label = firstText(node, 'TYPE_OF_DOCUMENT') || 'Document';
  const country = firstText(node, 'ISSUING_COUNTRY') || firstText(node, 'COUNTRY_OF_ISSUE');
  return [{ class: identifierClass(label), label, number, country: countryByName(country) }];
}

function entryOf(node: XmlNode): ListEntry {
  const type = node.name;
  const country = (...path: readonly string[]) => textsAt(node, ...path).map(countryByName);
  return {
    id: firstText(node, 'REFERENCE_NUMBER') || firstText(node, 'DATAID'),
    type: types[type] ?? 'unknown',
    names: namesOf(node, type),
    births: distinctIntervals(nodesAt(node, 'INDIVIDUAL_DATE_OF_BIRTH').map(birthOf)),
    nationalities: distinct(country('NATIONALITY', 'VALUE')),
    places: distinct([
      ...country(`${type}_ADDRESS`, 'COUNTRY'),
      ...country('INDIVIDUAL_PLACE_OF_BIRTH', 'COUNTRY'),
    ]),
    identifiers: nodesAt(node, 'INDIVIDUAL_DOCUMENT').flatMap(identifierOf),
    programmes: distinct(textsAt(node, 'UN_LIST_TYPE')),
  };
}

const sections = { INDIVIDUALS: 'INDIVIDUAL', ENTITIES: 'ENTITY' } as const;

/**
 * Reads the consolidated list of the Security Council of the United Nations. It has always had both sections: one
 * without entries is a part that is missing.
 */
export async function* readUn(bytes: Bytes): AsyncGenerator<ListItem> {
  const seen = new Set<string>();
  yield* readListXml<ListItem>(bytes, {
    root: 'CONSOLIDATED_LIST',
    namespace: null,
    entered: { INDIVIDUALS: {}, ENTITIES: {} },
    head: (attributes) => {
      const date = fromIso(attributes.get('dateGenerated') ?? '')?.from ?? null;
      return [{ type: 'head', date, stated: null }];
    },
    part: (node, within) => {
      const expected = Object.entries(sections).find(([section]) => section === within)?.[1];
      if (node.name !== expected) misplaced(node, within);
      seen.add(within);
      return [{ type: 'entry', entry: entryOf(node) }];
    },
  });
  const missing = Object.keys(sections).find((section) => !seen.has(section));
  if (missing !== undefined) {
    throw new ListProblem('no_entries', `The section ${missing} has no entry.`);
  }
}
