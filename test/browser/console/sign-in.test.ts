import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMailbox, type Mailbox } from '../../../dev/mailbox/server.ts';
import { addOperatorUser } from '../../../src/access/operator-user.ts';
import { startCompanyPage, type CompanyPage } from '../../support/company-page.ts';
import { eventually } from '../../support/factory.ts';
import { holderOf } from '../../support/sessions.ts';
import { startConsoleWorld, type ConsoleWorld } from './world.ts';

let folder: string;
let mailbox: Mailbox;
let company: CompanyPage;
let world: ConsoleWorld;
let member: Awaited<ReturnType<typeof holderOf>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sign-in-'));
  mailbox = await startMailbox({ httpPort: 0, smtpPort: 0, file: join(folder, 'mails.jsonl') });
  company = await startCompanyPage();
  const env = { ...company.env, OIDC_DOMAINS: 'example.com', SMTP_URL: mailbox.smtpUrl };
  world = await startConsoleWorld({ worker: true, env });
  company.open(world.origin);
  member = await holderOf(world.harness, world.tenant.key);
});
afterAll(async () => {
  await world.close();
  await company.close();
  await mailbox.close();
  await rm(folder, { recursive: true });
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

const forgetMails = (to: string) =>
  fetch(`${mailbox.url}/mails?${new URLSearchParams({ to })}`, { method: 'DELETE' });

/** Asks for a link, and opens it from the page of the local mailbox. */
async function openMail(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'E-mail me a link' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  const mail = page.getByRole('link', { name: `to ${email}` });
  // The page of the mailbox has no script: it shows what there is when it is loaded.
  await eventually(async () => {
    await page.goto(mailbox.url);
    return (await mail.count()) === 1;
  });
  await mail.click();
  await page
    .getByRole('link', { name: `${world.origin}/console/sign-in#` })
    .first()
    .click();
  await page.getByRole('button', { name: 'Sign in now' }).waitFor();
}

/** The same, and signs in with the link. */
async function signInByMail(page: Page, email: string): Promise<void> {
  await openMail(page, email);
  await page.getByRole('button', { name: 'Sign in now' }).click();
}

test('a member asks for a link, opens the mail in the local mailbox, and is signed in', async () => {
  const { page, complaints, close } = await world.open('/', { as: null });
  await openMail(page, member.email);
  await page.getByText(`This link signs you in once, as ${member.email}.`).waitFor();
  await page.getByRole('button', { name: 'Sign in now' }).click();
  await heading(page, 'Overview').waitFor();
  await page.getByText(member.email).first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('an operator asks for a link, opens the mail, and begins with the pages of operators', async () => {
  const email = 'olga@platform.example';
  await addOperatorUser(world.harness.database.pool, { email, name: 'Olga' });
  const { page, complaints, close } = await world.open('/', { as: null });
  await signInByMail(page, email);
  await heading(page, 'Businesses').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/operator/businesses');
  await page.getByText('Olga', { exact: true }).first().waitFor();
  expect(await page.getByRole('link', { name: 'Overview', exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('the link of a mail leads back to the page that asked for it, and never out of the console', async () => {
  const email = 'greta@platform.example';
  await addOperatorUser(world.harness.database.pool, { email, name: 'Greta' });
  const asked = '/operator/queue?state=dead';
  const { page, complaints, close } = await world.open(asked, { as: null });
  await signInByMail(page, email);
  await heading(page, 'Job queue').waitFor();
  expect(page.url()).toBe(`${world.origin}/console${asked}`);

  for (const way of ['//example.com/', '/\\example.com/', 'https://example.com/']) {
    await page.context().clearCookies();
    await page.goto('/console/sign-in');
    await forgetMails(email);
    await openMail(page, email);
    const kept = JSON.stringify(`9e15 ${way}`);
    await page.evaluate(`localStorage.setItem('payouts-way-back', ${kept})`);
    await page.getByRole('button', { name: 'Sign in now' }).click();
    await heading(page, 'Businesses').waitFor();
    expect(new URL(page.url()).origin).toBe(world.origin);
  }
  expect(complaints).toEqual([]);
  await close();
});

test('a member who also runs the platform chooses as whom they sign in', async () => {
  await addOperatorUser(world.harness.database.pool, { email: member.email, name: 'Olga too' });
  const { page, complaints, close } = await world.open('/', { as: null });
  const asOperator = page.getByRole('link', { name: 'Sign in as an operator of this platform' });
  await asOperator.click();
  await page.getByText('You sign in as an operator of this platform.').waitFor();
  expect(new URL(page.url()).search).toBe('?as=operator');
  await page.getByRole('link', { name: 'Sign in as a member of a business' }).click();
  await asOperator.click();
  await forgetMails(member.email);
  await signInByMail(page, member.email);
  await heading(page, 'Businesses').waitFor();
  await page.getByText('Olga too', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();

  // Whoever leaves a page of operators is one when they come back.
  company.claims = { email: member.email, email_verified: true };
  await page.getByText('You sign in as an operator of this platform.').waitFor();
  await page.getByRole('link', { name: 'Sign in with your company account' }).click();
  await heading(page, 'Businesses').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();

  await page.getByRole('link', { name: 'Sign in as a member of a business' }).click();
  await forgetMails(member.email);
  await signInByMail(page, member.email);
  await heading(page, 'Overview').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the session of an operator that ended leads back to the operators', async () => {
  const { page, close } = await world.open('/operator/queue', { as: null });
  await page.getByText('You sign in as an operator of this platform.').waitFor();
  await close();
});

test('a member signs in on the page of their company, and who is none is told so', async () => {
  company.claims = { email: member.email, email_verified: true };
  const { page, complaints, close } = await world.open('/', { as: null });
  await page.getByRole('link', { name: 'Sign in with your company account' }).click();
  await heading(page, 'Overview').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();

  // The company's page remembers who signed in; somebody else comes to the browser.
  await page.context().clearCookies();
  company.claims = { email: 'stranger@example.com', email_verified: true };
  await page.getByRole('link', { name: 'Sign in with your company account' }).click();
  await page.getByText('You are not a member of a business here.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});
