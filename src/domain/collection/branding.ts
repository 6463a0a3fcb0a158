import { requirePermission } from '../../access/scope.ts';
import { invalid } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import type { LanguageCode } from '../../reference/languages.ts';
import { fieldErrors } from '../../values/field-errors.ts';
import { brandingInput, type BrandingInput } from './branding-input.ts';
import {
  changeBranding,
  findBranding,
  readLogo,
  type BrandingChanges,
  type BrandingRow,
} from './branding-store.ts';
import { checkLogo, type Logo } from './logo.ts';

/** A logo as it is described; its bytes are read when they are asked for. */
export interface BrandLogo extends Pick<Logo, 'type' | 'digest' | 'width' | 'height'> {
  readonly sizeBytes: number;
  /** Null where it was taken away in the meantime. */
  open(): Promise<Buffer | null>;
}

/** How the collection pages and mails of a tenant look, and whom their readers can ask. */
export interface Branding {
  /** `#rrggbb`. */
  readonly color: string | null;
  /** An e-mail address or an https URL. */
  readonly supportContact: string | null;
  /** An https URL. */
  readonly privacyUrl: string | null;
  /** The language of mails to payees of whom nothing better is known. */
  readonly language: LanguageCode | null;
  readonly logo: BrandLogo | null;
}

function logoOf(call: Call, row: BrandingRow): BrandLogo | null {
  const { logoType: type, logoDigest: digest, logoWidth: width, logoHeight: height } = row;
  if (type === null || digest === null || width === null || height === null) return null;
  const open = () => readLogo(call.services.pool, call.scope);
  return { type, digest, width, height, sizeBytes: row.logoBytes ?? 0, open };
}

/** The branding of a row; nothing is set in an absent one. */
export function toBranding(call: Call, row: BrandingRow | null): Branding {
  return {
    color: row?.color ?? null,
    supportContact: row?.supportContact ?? null,
    privacyUrl: row?.privacyUrl ?? null,
    language: row?.language ?? null,
    logo: row === null ? null : logoOf(call, row),
  };
}

/** The branding of the caller's tenant. Throws forbidden. */
export async function readBranding(call: Call): Promise<Branding> {
  requirePermission(call.scope, 'read');
  return toBranding(call, await findBranding(call.services.pool, call.scope));
}

/** Throws validation_failed with the faults of the logo beside those of the other fields. */
function parse({ logo: file, ...given }: BrandingInput): BrandingChanges {
  const parsed = brandingInput.safeParse(given);
  const errors = parsed.success ? [] : fieldErrors(parsed.error, given);
  let logo: BrandingChanges['logo'] = file === null ? null : undefined;
  if (file !== null && file !== undefined) {
    const judged = checkLogo(file);
    if ('code' in judged) errors.push(judged);
    else logo = judged;
  }
  if (!parsed.success || errors.length > 0) throw invalid(errors);
  return { fields: parsed.data, logo };
}

/**
 * Changes the branding of the caller's tenant: absent fields stay, null clears. Each environment has
 * its own, so that a sandbox key changes nothing that payees of production see. Throws forbidden, and
 * validation_failed naming every field that is wrong.
 */
export async function updateBranding(call: Call, given: BrandingInput): Promise<Branding> {
  requirePermission(call.scope, 'business:write');
  const { fields, logo } = parse(given);
  const row = await changeBranding(call.services.pool, call.scope, { fields, logo });
  return toBranding(call, row);
}
