import type { z } from 'zod';
import type { postalAddress } from '../../src/values/fields.ts';
import { text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from './fields.ts';

/** A postal address as the domain stores it. */
type StoredAddress = z.output<typeof postalAddress>;

export const PostalAddress = builder.objectRef<StoredAddress>('PostalAddress').implement({
  description: 'A postal address.',
  fields: (t) =>
    shown(t, {
      line1: text('Street and number.'),
      line2: t.string({
        nullable: true,
        description: 'What did not fit in the first line.',
        resolve: (address) => address.line2 ?? null,
      }),
      city: text('City.'),
      state: t.string({
        nullable: true,
        description: 'State, province or region.',
        resolve: (address) => address.state ?? null,
      }),
      postalCode: t.string({
        nullable: true,
        description: 'Postal code.',
        resolve: (address) => address.postalCode ?? null,
      }),
      country: text('ISO 3166-1 alpha-2.'),
    }),
});

export const PostalAddressInput = builder.inputType('PostalAddressInput', {
  description: 'A postal address; it replaces the stored one as a whole.',
  fields: (t) => ({
    line1: t.string({ required: true, description: 'Street and number.' }),
    line2: t.string({ description: 'What did not fit in the first line.' }),
    city: t.string({ required: true, description: 'City.' }),
    state: t.string({ description: 'State, province or region.' }),
    postalCode: t.string({ description: 'Postal code.' }),
    country: t.string({ required: true, description: 'ISO 3166-1 alpha-2.' }),
  }),
});
