import { beforeEach, expect, it } from 'vitest';
import { updateProfile } from '../../../src/domain/business/profile.ts';
import { findRegistrant } from '../../../src/domain/business/registrant.ts';
import { registerBusiness } from '../../../src/domain/business/register.ts';
import type { Call } from '../../../src/process/services.ts';
import { useCalls } from '../../support/calls.ts';
import { makeTenant, type TestTenant } from '../../support/factory.ts';
import { giveProductionKey } from '../../support/production-key.ts';

const calls = useCalls();
let tenant: TestTenant;
let owner: Call;
beforeEach(async () => {
  tenant = await makeTenant(calls, { funded: false });
  owner = await calls.as(tenant.key);
});

const complete = {
  legalName: 'Analytical Engines Ltd',
  registrationNumber: '01234567',
  country: 'GB',
  address: { line1: '1 Dorset Street', city: 'London', country: 'GB' },
  website: 'https://engines.example',
  industry: 'machines',
  contactPhone: '+442079460000',
};

/** The jobs that fund the sandbox wallet. */
async function fundings(): Promise<number> {
  const { rows } = await calls.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM graphile_worker._private_jobs
     WHERE key = 'fund_sandbox_wallet:' || $1`,
    [tenant.tenantId],
  );
  return rows[0]?.n ?? 0;
}

async function acceptProfile(): Promise<void> {
  await calls.database.pool.query(`UPDATE business SET profile_status = 'accepted' WHERE id = $1`, [
    tenant.businessId,
  ]);
}

it('submits a profile when it is complete, and funds the sandbox wallet with it', async () => {
  const { website, ...most } = complete;
  expect(await updateProfile(owner, most)).toMatchObject({ profileStatus: 'incomplete' });
  expect(await fundings()).toBe(0);
  const submitted = await updateProfile(owner, { website });
  expect(submitted).toMatchObject({ profileStatus: 'submitted', ...complete });
  expect(await fundings()).toBe(1);
  expect(await updateProfile(owner, { industry: null })).toMatchObject({
    profileStatus: 'incomplete',
    profileSubmittedAt: null,
  });
});

it('submits an accepted profile again only for another legal identity', async () => {
  await updateProfile(owner, complete);
  await acceptProfile();
  const address = { ...complete.address, line2: null };
  expect(await updateProfile(owner, { industry: 'looms', address })).toMatchObject({
    profileStatus: 'accepted',
  });
  expect(await updateProfile(owner, { legalName: 'Difference Engines Ltd' })).toMatchObject({
    profileStatus: 'submitted',
  });
});

it('keeps an accepted profile complete', async () => {
  await updateProfile(owner, complete);
  await acceptProfile();
  await expect(updateProfile(owner, { website: null })).rejects.toMatchObject({ code: 'conflict' });
});

it('changes the legal identity with a production key once there is one', async () => {
  await updateProfile(owner, complete);
  await acceptProfile();
  const live = await calls.as(await giveProductionKey(calls, tenant));
  const renamed = { legalName: 'Difference Engines Ltd' };
  await expect(updateProfile(owner, renamed)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await updateProfile(owner, { industry: 'looms' })).toMatchObject({ industry: 'looms' });
  expect(await updateProfile(live, renamed)).toMatchObject(renamed);
});

it('refuses a malformed field, and a viewer', async () => {
  const wrong = updateProfile(owner, { country: 'Atlantis' });
  await expect(wrong).rejects.toMatchObject({ code: 'validation_failed' });
  const viewer = await calls.as(await tenant.keyWithRole('viewer'));
  await expect(updateProfile(viewer, complete)).rejects.toMatchObject({ code: 'forbidden' });
});

it('registers a corporate domain once, and tells who registered', async () => {
  const given = { email: 'ada@engines-one.example', companyName: 'Engines' };
  const { business, user } = await registerBusiness(calls.services, given);
  const second = registerBusiness(calls.services, { ...given, email: 'bob@engines-one.example' });
  await expect(second).rejects.toMatchObject({ code: 'COMPANY_DOMAIN_ALREADY_CLAIMED' });
  const { pool } = calls.services;
  expect(await findRegistrant(pool, business.id, user.id)).toEqual(given);
  expect(await findRegistrant(pool, tenant.businessId, user.id)).toBeNull();
});
