import { beforeAll, expect, it } from 'vitest';
import { createScopedPrisma, type ScopedPrisma } from '../../src/db/prisma.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const ours = useTenant(harness);
const theirs = useTenant(harness);
const ourPayee = usePayee(harness, ours);
const theirPayee = usePayee(harness, theirs);

let ourClient: ScopedPrisma;
let theirClient: ScopedPrisma;

beforeAll(() => {
  const scoped = createScopedPrisma(harness.services.prisma);
  ourClient = scoped(ours);
  theirClient = scoped(theirs);
});

/** One row by its key of two columns, and by all that Prisma has for one row. */
const readOne = (prisma: ScopedPrisma, tenantId: string, id: string) => {
  const where = { tenantId_id: { tenantId, id } };
  return [
    prisma.beneficiary.findUnique({ where, include: { bankAccounts: true } }),
    prisma.beneficiary.findUniqueOrThrow({ where }),
    prisma.beneficiary.findFirst({ where: { id } }),
    prisma.beneficiary.findFirstOrThrow({ where: { id } }),
  ];
};

it('reads of two tenants in one tick each find the rows of their own tenant', async () => {
  const ourId = ourPayee.beneficiaryId;
  const theirId = theirPayee.beneficiaryId;
  const found = await Promise.all([
    ...readOne(ourClient, ours.tenantId, ourId),
    ...readOne(theirClient, theirs.tenantId, theirId),
    ...readOne(ourClient, ours.tenantId, ourId),
  ]);
  const own = [ourId, theirId, ourId].flatMap((id) => [id, id, id, id]);
  expect(found.map((one) => one?.id)).toEqual(own);
});

it('a read in the tick of another tenant does not find the other tenant’s rows', async () => {
  const where = (tenantId: string, id: string) => ({ where: { tenantId_id: { tenantId, id } } });
  const { tenantId } = theirs;
  const found = await Promise.all([
    theirClient.beneficiary.findUnique(where(tenantId, theirPayee.beneficiaryId)),
    ourClient.beneficiary.findUnique(where(tenantId, theirPayee.beneficiaryId)),
    ourClient.beneficiary.findMany({ where: { id: theirPayee.beneficiaryId } }),
    theirClient.beneficiary.count(),
  ]);
  expect(found).toEqual([expect.anything(), null, [], 1]);
});
