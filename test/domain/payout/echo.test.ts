import { expect, it } from 'vitest';
import { openEmail, readBeneficiary } from '../../../src/domain/beneficiary/store.ts';
import { createPayout } from '../../../src/domain/payout/create.ts';
import { codeOf, payoutInput } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();

const same = { beneficiaryType: 'person', firstName: 'Ada', lastName: 'Lovelace' } as const;
const encrypted = { countryOfResidence: 'US', dateOfBirth: '1990-04-01' };

it('takes an echo of what is stored, encrypted fields included', async () => {
  const stored = await readBeneficiary(world.call, world.payee.beneficiaryId);
  const email = openEmail(world.call, stored);
  const beneficiary = { ...same, ...encrypted, email, taxId: null };
  const { payout } = await createPayout(world.call, payoutInput(world.payee, { beneficiary }));
  expect(payout).not.toBeNull();
});

it.each([
  { beneficiaryType: 'business' as const },
  { email: 'somebody.else@example.com' },
  { firstName: 'ada' },
  { lastName: 'Byron' },
  { businessName: 'Ada Ltd' },
  { countryOfResidence: 'GB' },
  { countryOfIncorporation: 'US' },
  { registrationNumber: '1' },
  { dateOfBirth: '1990-04-02' },
  { taxId: '123' },
])('refuses %o, which is not what is stored', async (different) => {
  const beneficiary = { ...same, ...different };
  const refused = createPayout(world.call, payoutInput(world.payee, { beneficiary }));
  expect(await codeOf(refused)).toBe('BENEFICIARY_MISMATCH');
});

it('tells of the beneficiary that is not there before it tells of the echo', async () => {
  const payee = { ...world.payee, beneficiaryId: 'ben_1' };
  const refused = createPayout(
    world.call,
    payoutInput(payee, { beneficiary: { lastName: 'Byron' } }),
  );
  expect(await codeOf(refused)).toBe('not_found');
});
