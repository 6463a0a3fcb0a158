import { countryByName } from '../../reference/country-names.ts';
import type { XmlNode } from '../../providers/bank/iso20022/read-node.ts';
import { distinctIntervals, fromAmerican, fromOfac } from './dates.ts';
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
import { identifierClass, isOfacIdentifier } from './ofac-ids.ts';
import { ListProblem } from './problem.ts';
import { firstText, misplaced, nodesAt, readListXml, textsAt } from './xml.ts';

const types: Readonly<Record<string, EntryType>> = {
  individual: 'person',
  entity: 'organisation',
  vessel: 'vessel',
  aircraft: 'aircraft',
};

/** OFAC writes the family name first in its files for people, and apart here. */
const nameOf = (node: XmlNode): string =>
  [firstText(node, 'firstName'), firstText(node, 'lastName')].join(' ').trim();

function namesOf(entry: XmlNode): ListedName[] {
  const aliases = nodesAt(entry, 'akaList', 'aka').map((aka): ListedName => ({
    text: nameOf(aka),
    role: /f\.?k\.?a/i.test(firstText(aka, 'type')) ? 'former' : 'alias',
    weak: firstText(aka, 'category').toLowerCase() === 'weak',
  }));
  const primary: ListedName = { text: nameOf(entry), role: 'primary', weak: false };
  return distinctNames([primary, ...aliases.filter(({ text }) => text !== '')]);
}

function identifiersOf(entry: XmlNode): ListedIdentifier[] {
  const ids = nodesAt(entry, 'idList', 'id').flatMap((id): ListedIdentifier[] => {
    const [label, number] = [firstText(id, 'idType'), firstText(id, 'idNumber')];
    if (number === '' || !isOfacIdentifier(label)) return [];
    const country = countryByName(firstText(id, 'idCountry'));
    return [{ class: identifierClass(label), label, number, country }];
  });
  const callSigns = textsAt(entry, 'vesselInfo', 'callSign').map((number): ListedIdentifier => ({
    class: 'vessel',
    label: 'Call sign',
    number,
    country: null,
  }));
  return [...ids, ...callSigns];
}

const countriesAt = (entry: XmlNode, ...path: readonly string[]): (string | null)[] =>
  textsAt(entry, ...path).map(countryByName);

function typeOf(entry: XmlNode): EntryType {
  const written = firstText(entry, 'sdnType');
  const type = types[written.toLowerCase()];
  if (type !== undefined) return type;
  throw new ListProblem('unknown_type', `line ${entry.line}: sdnType is "${written}".`);
}

function entryOf(entry: XmlNode): ListEntry {
  const births = textsAt(entry, 'dateOfBirthList', 'dateOfBirthItem', 'dateOfBirth');
  const birthPlaces = textsAt(entry, 'placeOfBirthList', 'placeOfBirthItem', 'placeOfBirth');
  return {
    id: firstText(entry, 'uid'),
    type: typeOf(entry),
    names: namesOf(entry),
    births: distinctIntervals(births.map(fromOfac)),
    nationalities: distinct([
      ...countriesAt(entry, 'nationalityList', 'nationality', 'country'),
      ...countriesAt(entry, 'citizenshipList', 'citizenship', 'country'),
      ...countriesAt(entry, 'vesselInfo', 'vesselFlag'),
    ]),
    places: distinct([
      ...countriesAt(entry, 'addressList', 'address', 'country'),
      ...birthPlaces.map((place) => countryByName(place.split(',').at(-1) ?? '')),
    ]),
    identifiers: identifiersOf(entry),
    programmes: distinct(textsAt(entry, 'programList', 'program')),
  };
}

function headOf(information: XmlNode): ListItem {
  const count = firstText(information, 'Record_Count');
  return {
    type: 'head',
    date: fromAmerican(firstText(information, 'Publish_Date')),
    stated: /^\d{1,9}$/.test(count) ? Number(count) : null,
  };
}

/** Reads SDN.XML or CONSOLIDATED.XML of the Office of Foreign Assets Control. Its namespace has changed over the years. */
export function readOfacXml(bytes: Bytes): AsyncGenerator<ListItem> {
  return readListXml<ListItem>(bytes, {
    root: 'sdnList',
    namespace: null,
    entered: {},
    part: (node, within) => {
      if (node.name === 'publshInformation') return [headOf(node)];
      if (node.name !== 'sdnEntry') misplaced(node, within);
      return [{ type: 'entry', entry: entryOf(node) }];
    },
  });
}
