import { countryByName } from '../../reference/country-names.ts';
import type { XmlNode } from '../../providers/bank/iso20022/read-node.ts';
import { distinctIntervals, fromBritish, fromIso } from './dates.ts';
import {
  distinct,
  distinctNames,
  type Bytes,
  type IdentifierClass,
  type ListEntry,
  type ListItem,
  type ListedIdentifier,
  type ListedName,
} from './entry.ts';
import { primaryFirst, ukCounts, ukName, ukRole, ukType } from './uk-entry.ts';
import { firstText, misplaced, nodesAt, readListXml, textsAt } from './xml.ts';

const parts = ['Name1', 'Name2', 'Name3', 'Name4', 'Name5'] as const;

function namesOf(node: XmlNode): ListedName[] {
  const latin = nodesAt(node, 'Names', 'Name').map((name): ListedName => ({
    text: ukName(
      parts.map((part) => firstText(name, part)),
      firstText(name, 'Name6'),
    ),
    ...ukRole(firstText(name, 'NameType'), firstText(name, 'AliasStrength')),
  }));
  const others = textsAt(node, 'NonLatinNames', 'NonLatinName', 'NameNonLatinScript').map(
    (text): ListedName => ({ text, role: 'alias', weak: false }),
  );
  return distinctNames(primaryFirst([...latin, ...others].filter(({ text }) => text !== '')));
}

function numbers(
  found: readonly string[],
  label: string,
  kind: IdentifierClass,
): ListedIdentifier[] {
  return found.map((number) => ({ class: kind, label, number, country: null }));
}

/** Registration numbers are in one text, a line each, with the name of the register before them. */
function registrations(node: XmlNode): ListedIdentifier[] {
  const path = ['EntityDetails', 'Entity', 'BusinessRegistrationNumbers'] as const;
  const texts = nodesAt(node, ...path, 'BusinessRegistrationNumber').map(({ text }) => text);
  return texts.flatMap((text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line): ListedIdentifier => {
        const [, label = 'Business registration', number = line] =
          /^(.*?)\s*[-:]\s*([A-Z0-9][A-Z0-9/.-]*)$/i.exec(line) ?? [];
        const lei = /legal entity identifier/i.test(label);
        return { class: lei ? 'lei' : 'registration', label, number, country: null };
      }),
  );
}

function identifiersOf(node: XmlNode): ListedIdentifier[] {
  const person = ['IndividualDetails', 'Individual'] as const;
  const passports = textsAt(node, ...person, 'PassportDetails', 'Passport', 'PassportNumber');
  const national = [...person, 'NationalIdentifierDetails', 'NationalIdentifier'] as const;
  return [
    ...numbers(passports, 'Passport', 'passport'),
    ...numbers(
      textsAt(node, ...national, 'NationalIdentifierNumber'),
      'National identifier',
      'national',
    ),
    ...registrations(node),
    ...numbers(textsAt(node, 'ShipDetails', 'Ship', 'IMONumbers', 'IMONumber'), 'IMO', 'vessel'),
  ];
}

/** The words of `SanctionsImposed`, and those of the indicators that are true. */
function imposedOn(node: XmlNode): string {
  const indicators = nodesAt(node, 'SanctionsImposedIndicators')
    .flatMap(({ children }) => children)
    .filter(({ text }) => text.trim() === 'true')
    .map(({ name }) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '));
  return [...textsAt(node, 'SanctionsImposed'), ...indicators].join('|');
}

function entryOf(node: XmlNode): ListEntry {
  const person = ['IndividualDetails', 'Individual'] as const;
  const country = (...path: readonly string[]) => textsAt(node, ...path).map(countryByName);
  return {
    id: firstText(node, 'UniqueID'),
    type: ukType(firstText(node, 'IndividualEntityShip'), `line ${node.line}`),
    names: namesOf(node),
    births: distinctIntervals(textsAt(node, ...person, 'DOBs', 'DOB').map(fromBritish)),
    nationalities: distinct(country(...person, 'Nationalities', 'Nationality')),
    places: distinct([
      ...country('Addresses', 'Address', 'AddressCountry'),
      ...country(...person, 'BirthDetails', 'Location', 'CountryOfBirth'),
    ]),
    identifiers: identifiersOf(node),
    programmes: distinct(textsAt(node, 'RegimeName')),
  };
}

function itemOf(node: XmlNode): ListItem {
  const entry = entryOf(node);
  return ukCounts(imposedOn(node)) ? { type: 'entry', entry } : { type: 'passed', id: entry.id };
}

/** Reads the UK Sanctions List of the Foreign, Commonwealth & Development Office. */
export function readUkXml(bytes: Bytes): AsyncGenerator<ListItem> {
  return readListXml<ListItem>(bytes, {
    root: 'Designations',
    namespace: '',
    entered: {},
    head: (attributes) => {
      const generated = attributes.get('dateGenerated');
      const date = generated === undefined ? null : (fromIso(generated)?.from ?? null);
      return date === null ? [] : [{ type: 'head', date, stated: null }];
    },
    part: (node, within) => {
      if (node.name === 'DateGenerated') {
        return [{ type: 'head', date: fromBritish(node.text)?.from ?? null, stated: null }];
      }
      return node.name === 'Designation' ? [itemOf(node)] : misplaced(node, within);
    },
  });
}
