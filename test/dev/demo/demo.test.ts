import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadAuthority } from '../../../dev/demo/certificates.ts';
import { certificateFolder, readDemoConfig } from '../../../dev/demo/config.ts';
import { runDemo } from '../../../dev/demo/demo.ts';
import { type Fault, type FaultPlan, StubService } from './support/stub-service.ts';
import { patience } from '../../support/patience.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demo-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

interface Run {
  readonly stub: StubService;
  readonly output: string;
  readonly error: unknown;
}

async function run(plan: FaultPlan, prepare?: (stub: StubService) => void): Promise<Run> {
  const { certificate } = await loadAuthority(certificateFolder(dataDir));
  const stub = new StubService(plan, certificate);
  prepare?.(stub);
  const { baseUrl, close } = await stub.start();
  const lines: string[] = [];
  const config = readDemoConfig({ DEMO_BASE_URL: baseUrl, DATA_DIR: dataDir });
  const error: unknown = await runDemo(config, patience(), (line) => {
    lines.push(line);
  }).then(
    () => null,
    (reason: unknown) => reason,
  );
  await close();
  return { stub, output: lines.join('\n'), error };
}

const noFault: FaultPlan = () => 'none';

test('goes from registration to the settled payout and shows what happened', async () => {
  const { output, error } = await run(noFault);
  expect(error).toBeNull();
  expect(output).toMatch(/ok {4}register a business +\d+ ms {2}biz_1/);
  expect(output).toContain('5 deliveries, 4 events, all verified');
  expect(output).toMatch(/payout\.disbursed +evt_3 {2}verified {2}duplicate/);
  expect(output).toMatch(/amount +1250\.19 USD/);
  expect(output).toMatch(/state +settled/);
  expect(output).toMatch(/provider payout +sim_1/);
  expect(output).not.toMatch(/pos_sandbox_|whsec_/);
});

test.for<Fault>(['lost', 'cut', 'unavailable'])(
  'makes nothing twice when the first attempt at everything is %s',
  async (fault) => {
    const { stub, output, error } = await run((asked, nth) =>
      asked !== 'GET /readyz' && nth === 1 ? fault : 'none',
    );
    expect(error).toBeNull();
    expect(stub.beneficiaries).toHaveLength(1);
    expect(stub.bankAccounts).toHaveLength(1);
    expect(stub.payouts).toHaveLength(1);
    expect(new Set(stub.registrations).size).toBe(fault === 'lost' ? 2 : 1);
    expect(output).toMatch(/state +settled/);
  },
);

test('waits as long as Retry-After says', async () => {
  const plan: FaultPlan = (asked, nth) =>
    asked === 'POST /v1/payouts' && nth === 1 ? 'limited' : 'none';
  const { stub, error } = await run(plan);
  expect(error).toBeNull();
  expect(stub.payouts).toHaveLength(1);
});

test('fails with the state that the payout ended in', async () => {
  const { output, error } = await run(noFault, (stub) => {
    stub.failPayout = true;
  });
  expect(error).toMatchObject({ message: 'The payout became failed.' });
  expect(output).toContain('FAIL  wait until it is disbursed');
});
