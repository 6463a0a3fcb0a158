import { countryByName } from '../../reference/country-names.ts';
import { isCountry } from '../../reference/countries.ts';
import { all, type XmlNode } from '../../providers/bank/iso20022/read-node.ts';
import { distinctIntervals, fromIso, fromYears, interval, type Interval } from './dates.ts';
import {
  distinct,
  distinctNames,
  type Bytes,
  type EntryType,
  type ListEntry,
  type ListItem,
  type ListedIdentifier,
} from './entry.ts';
import { identifierClass } from './ofac-ids.ts';
import { ListProblem } from './problem.ts';
import { misplaced, readListXml } from './xml.ts';

const types: Readonly<Record<string, EntryType>> = { person: 'person', enterprise: 'organisation' };

const attribute = (node: XmlNode, name: string): string =>
  (node.attributes.get(name) ?? '').replaceAll(/\s+/g, ' ').trim();

/** The code `00` stands for an unknown country. */
function countryOf(node: XmlNode): string | null {
  const code = attribute(node, 'countryIso2Code').toUpperCase();
  return isCountry(code) ? code : countryByName(attribute(node, 'countryDescription'));
}

const numberAt = (node: XmlNode, name: string): number | null => {
  const text = attribute(node, name);
  return /^\d+$/.test(text) ? Number(text) : null;
};

/** Dates of other calendars are in the Gregorian one too, in a `birthdate` of their own. */
function birthOf(node: XmlNode): Interval | null {
  const calendar = attribute(node, 'calendarType');
  if (calendar !== '' && calendar !== 'GREGORIAN') return null;
  const about = attribute(node, 'circa') === 'true';
  const whole = fromIso(attribute(node, 'birthdate'), about);
  if (whole !== null) return whole;
  const year = numberAt(node, 'year');
  if (year !== null) {
    return interval(year, numberAt(node, 'monthOfYear'), numberAt(node, 'dayOfMonth'), about);
  }
  return fromYears(attribute(node, 'yearRangeFrom'), attribute(node, 'yearRangeTo'), about);
}

/** What the list marks as false or lost by its issuer identifies nobody. */
function identifierOf(node: XmlNode): ListedIdentifier[] {
  const number = attribute(node, 'number') || attribute(node, 'latinNumber');
  if (number === '' || attribute(node, 'knownFalse') === 'true') return [];
  const code = attribute(node, 'identificationTypeCode');
  const label = attribute(node, 'identificationTypeDescription') || code;
  const byCode = identifierClass(code);
  return [
    {
      class: byCode === 'other' ? identifierClass(label) : byCode,
      label,
      number,
      country: countryOf(node),
    },
  ];
}

function typeOf(entity: XmlNode): EntryType {
  const code = all(entity, 'subjectType').map((node) => attribute(node, 'code'))[0] ?? '';
  const type = types[code];
  if (type !== undefined) return type;
  throw new ListProblem(
    'unknown_type',
    `line ${entity.line}: the code of subjectType is "${code}".`,
  );
}

function entryOf(entity: XmlNode): ListEntry {
  const births = all(entity, 'birthdate');
  const names = all(entity, 'nameAlias').map((node, index) => ({
    text: attribute(node, 'wholeName') || partsOf(node),
    role: index === 0 ? ('primary' as const) : ('alias' as const),
    weak: attribute(node, 'strong') === 'false',
  }));
  return {
    id: attribute(entity, 'euReferenceNumber') || attribute(entity, 'logicalId'),
    type: typeOf(entity),
    names: distinctNames(names.filter(({ text }) => text !== '')),
    births: distinctIntervals(births.map(birthOf)),
    nationalities: distinct(all(entity, 'citizenship').map(countryOf)),
    places: distinct([...all(entity, 'address'), ...births].map(countryOf)),
    identifiers: all(entity, 'identification').flatMap(identifierOf),
    programmes: distinct(all(entity, 'regulation').map((node) => attribute(node, 'programme'))),
  };
}

const partsOf = (node: XmlNode): string =>
  ['firstName', 'middleName', 'lastName']
    .map((name) => attribute(node, name))
    .filter((part) => part !== '')
    .join(' ');

/** Reads the consolidated list of the European Union's financial sanctions, version 1.1. */
export function readEu(bytes: Bytes): AsyncGenerator<ListItem> {
  return readListXml<ListItem>(bytes, {
    root: 'export',
    namespace: 'http://eu.europa.ec/fpi/fsd/export',
    entered: {},
    head: (attributes) => {
      // The site says that the file is new each day; the file's own day may be weeks old.
      const date = fromIso(attributes.get('generationDate') ?? '')?.from ?? null;
      return [{ type: 'head', date, stated: null }];
    },
    part: (node, within) =>
      node.name === 'sanctionEntity'
        ? [{ type: 'entry', entry: entryOf(node) }]
        : misplaced(node, within),
  });
}
