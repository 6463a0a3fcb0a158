import { named } from '../../db/named.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import type { Scope } from '../../access/scope.ts';
import type { LanguageCode } from '../../reference/languages.ts';
import type { Logo } from './logo.ts';

/** A tenant's branding as its row has it, without the bytes of the logo. */
export interface BrandingRow {
  readonly color: string | null;
  readonly supportContact: string | null;
  readonly privacyUrl: string | null;
  readonly language: LanguageCode | null;
  readonly logoType: Logo['type'] | null;
  readonly logoDigest: string | null;
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
  readonly logoBytes: number | null;
}

/** The select list of `BrandingRow`; every column is null where an outer join finds no row. */
export const brandingColumns = `g.color, g.support_contact AS "supportContact",
      g.privacy_url AS "privacyUrl", g.language, g.logo_type AS "logoType",
      g.logo_digest AS "logoDigest", g.logo_width AS "logoWidth", g.logo_height AS "logoHeight",
      octet_length(g.logo) AS "logoBytes"`;

const fields = {
  color: 'color',
  support_contact: 'supportContact',
  privacy_url: 'privacyUrl',
  language: 'language',
};
const logoColumns = ['logo', 'logo_type', 'logo_digest', 'logo_width', 'logo_height'];

const kept = (column: string, field: string) =>
  `${column} = CASE WHEN @given::jsonb ? '${field}' THEN excluded.${column} ELSE g.${column} END`;

/** One statement on one row, so that two writers of different fields lose nothing. */
const storeBranding = named(
  'store_collection_branding',
  ['tenant', 'given', 'logo', 'type', 'digest', 'width', 'height', 'actor'],
  `
    INSERT INTO collection_branding AS g (
      tenant_id, ${Object.keys(fields).join(', ')}, ${logoColumns.join(', ')}, updated_by
    )
    VALUES (
      @tenant, ${Object.values(fields)
        .map((field) => `@given::jsonb ->> '${field}'`)
        .join(', ')},
      @logo, @type, @digest, @width, @height, @actor::jsonb
    )
    ON CONFLICT (tenant_id) DO UPDATE SET
      ${Object.entries(fields)
        .map(([column, field]) => kept(column, field))
        .join(',\n      ')},
      ${logoColumns.map((column) => kept(column, 'logo')).join(',\n      ')},
      updated_by = excluded.updated_by, updated_at = excluded.updated_at
    RETURNING ${brandingColumns}`,
);

/** What to change: a field that is absent stays, null clears it. */
export interface BrandingChanges {
  readonly fields: Readonly<Record<string, string | null | undefined>>;
  readonly logo: Logo | null | undefined;
}

/** Changes the branding of the scope's tenant. */
export async function changeBranding(
  client: Queryable,
  scope: Scope,
  { fields: given, logo }: BrandingChanges,
): Promise<BrandingRow> {
  const row = await firstRow<BrandingRow & Record<string, unknown>>(
    client,
    storeBranding,
    storeBranding.of({
      tenant: scope.tenantId,
      given: JSON.stringify(logo === undefined ? given : { ...given, logo: null }),
      logo: logo?.bytes ?? null,
      type: logo?.type ?? null,
      digest: logo?.digest ?? null,
      width: logo?.width ?? null,
      height: logo?.height ?? null,
      actor: JSON.stringify(scope.actor),
    }),
  );
  if (row === null) throw new Error('an upsert without a condition gives its row');
  return row;
}

const brandingOf: Statement = {
  name: 'collection_branding_of_tenant',
  text: `SELECT ${brandingColumns} FROM collection_branding g WHERE g.tenant_id = $1`,
};

/** The branding of the scope's tenant; null where nothing was ever set. */
export function findBranding(client: Queryable, scope: Scope): Promise<BrandingRow | null> {
  return firstRow<BrandingRow & Record<string, unknown>>(client, brandingOf, [scope.tenantId]);
}

const logoOf: Statement = {
  name: 'collection_logo_of_tenant',
  text: `SELECT g.logo FROM collection_branding g WHERE g.tenant_id = $1 AND g.logo IS NOT NULL`,
};

/** The bytes of the tenant's logo; null where it has none. */
export async function readLogo(client: Queryable, scope: Scope): Promise<Buffer | null> {
  const row = await firstRow<{ logo: Buffer }>(client, logoOf, [scope.tenantId]);
  return row?.logo ?? null;
}
