import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueOperatorKey } from '../../../src/access/operator-key.ts';
import { europeanBank } from '../../support/banking.ts';
import { makeTenant, type TestTenant } from '../../support/factory.ts';
import { ask } from '../../support/operator-banks.ts';
import { proposedChanges } from '../../support/proposed-changes.ts';
import { keepPicture } from '../world.ts';
import { asOperator } from './operators.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld, type OpenOptions } from './world.ts';

/* What an operator sees of a change that another one proposed, before and after the answer. */

let world: ConsoleWorld;
let ada: string;
let operator: OpenOptions;
beforeAll(async () => {
  world = await startConsoleWorld({ env: { OPERATOR_CONFIRMATION: 'second_person' } });
  ada = (await issueOperatorKey(world.harness.database.pool, 'Ada')).key;
  operator = {
    ...(await asOperator(world)),
    viewport: { width: 1280, height: 860 },
    permissions: ['clipboard-read', 'clipboard-write'],
  };
});
afterAll(() => world.close());

/** A business of that name whose profile is accepted. */
async function business(name: string): Promise<TestTenant> {
  const tenant = await makeTenant(world.harness);
  await world.harness.database.pool.query(
    `UPDATE business SET profile_status = 'accepted', company_name = $2 WHERE id = $1`,
    [tenant.businessId, name],
  );
  return tenant;
}

/** Ada proposes a production key for who registered the business. */
async function proposeKey({ businessId, key }: TestTenant): Promise<string> {
  const me = await world.harness.graphql(key, '{ me { membershipId } }');
  const { membershipId } = me.body.data.me as { membershipId: string };
  const asked = await world.harness.graphql(
    ada,
    `mutation ($businessId: ID!, $membershipId: ID!) {
      operatorProductionKeyIssue(businessId: $businessId, membershipId: $membershipId, role: owner, reason: "they asked for it") { key }
    }`,
    { businessId, membershipId },
  );
  expect(asked.body.errors).toBeUndefined();
  return membershipId;
}

/** A connection that both operators agreed to, and that Ada would lead to another server. */
async function proposeServer(tenant: TestTenant): Promise<void> {
  const { waiting, answer } = proposedChanges(world.harness);
  const { businessId } = tenant;
  const grace = await issueOperatorKey(world.harness.database.pool, 'Grace');
  await ask(world.harness, ada, 'connect', { businessId, ...europeanBank });
  const [made] = await waiting(tenant, grace.key);
  if (made === undefined) throw new Error('no change waits');
  const { changedId } = (await answer(tenant, made, grace.key)).body.data.done;
  const host = `a-server-with-quite-a-long-name-${'x'.repeat(60)}.bank.example`;
  const transport = { ...europeanBank.transport, host };
  await ask(world.harness, ada, 'change', {
    businessId,
    connectionId: changedId,
    version: 1,
    transport,
  });
}

const cutTables = `[...document.querySelectorAll('.table-frame')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length`;

test('who confirms reads what changes and who proposed it, and keeps each key until it is handed over', async () => {
  const [first, second] = [await business('First Inc.'), await business('Second Inc.')];
  const membershipId = await proposeKey(first);
  await proposeKey(second);
  await proposeServer(await business('Third Inc.'));
  const { page, complaints, close } = await world.open('/operator/standstills', operator);
  const table = page.getByRole('table', { name: 'Changes to confirm' });
  const dialog = page.getByRole('dialog');
  const row = (name: string) => table.getByRole('row').filter({ hasText: name });

  const server = row('Third Inc.');
  await server.getByText('sftp.bank.example → a-server').waitFor();
  await server.getByText('File transfer · Server').waitFor();
  await server.getByText('given anew').waitFor();
  await server.getByText('ada', { exact: true }).waitFor();
  await server.getByText('Confirm by').waitFor();
  expect(await page.evaluate(cutTables)).toBe(0);
  await keepPicture(page, 'proposed-changes-1280');

  const confirm = async (name: string, shot?: string) => {
    await row(name).getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('heading', { name: `Confirm a production key for ${name}` }).waitFor();
    if (shot !== undefined) {
      await dialog.getByText(membershipId).waitFor();
      await dialog.getByText('owner', { exact: true }).first().waitFor();
      await dialog.getByText('they asked for it').waitFor();
      await dialog.getByText('ada,').waitFor();
      await keepPicture(page, shot);
    }
    await dialog.getByLabel('Reason').fill('I called them');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await row(name).waitFor({ state: 'detached' });
  };
  await confirm('First Inc.', 'proposed-change-dialog-1280');
  await confirm('Second Inc.');
  await row('Third Inc.').getByRole('button', { name: 'Decline' }).click();
  await dialog
    .getByRole('heading', { name: 'Decline the change of a bank connection for Third Inc.' })
    .waitFor();
  await dialog.getByLabel('Reason').fill('nobody knows the server');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await table.waitFor({ state: 'detached' });

  const issued = page.getByRole('region', { name: 'Production keys to deliver' });
  const noteOf = (name: string) => issued.locator('.note').filter({ hasText: name });
  await noteOf('First Inc.').getByText(membershipId).waitFor();
  const key = await noteOf('First Inc.').locator('.copy code').textContent();
  expect(await noteOf('Second Inc.').locator('.copy code').textContent()).not.toBe(key);
  await keepPicture(page, 'proposed-change-keys-1280');
  await noteOf('First Inc.').getByRole('button', { name: 'Copy' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  const works = await world.harness.graphql(key ?? '', '{ me { role } }');
  expect(works.body.data.me.role).toBe('owner');
  await noteOf('First Inc.').getByRole('button', { name: 'I have delivered it' }).click();
  await noteOf('First Inc.').waitFor({ state: 'detached' });
  await noteOf('Second Inc.').getByRole('button', { name: 'I have delivered it' }).click();
  await issued.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await page.getByText('Declined: Bank connection change').waitFor();
  expect(await page.getByText('Confirmed: Production key').count()).toBe(2);
  expect(await page.getByText('Sent to a second operator for confirmation').count()).toBe(4);
  expect(complaints).toEqual([]);
  await close();
});

test('the list of proposed changes is accessible in light, in dark and on a phone', async () => {
  await proposeServer(await business('Fourth Inc.'));
  await proposeKey(await business('Fifth Inc.'));
  const faults = await lookAt(
    world,
    'proposed-changes',
    '/operator/standstills',
    (page) =>
      page
        .getByRole('button', { name: /^Confirm/ })
        .nth(1)
        .waitFor(),
    operator,
  );
  expect(faults).toEqual([]);
});
