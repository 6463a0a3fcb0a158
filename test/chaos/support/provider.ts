import { join } from 'node:path';
import { programs } from '../../../dev/stack/services.ts';
import { readSimulatorConfig, type SimulatorConfig } from '../../../simulator/config.ts';
import { startSimulator } from '../../../simulator/server.ts';
import { type Member, startMember } from './member.ts';
import { freePort } from '../../support/free-port.ts';

/** How files go to the sandbox bank. */
export type BankWay = 'folder' | 'sftp';

/** The simulator of a world. */
export interface ProviderSide {
  readonly url: string;
  readonly apiKey: string;
  /** Whether it is a bank, too. */
  readonly isBank: boolean;
  /** Its process, where it can die; null where it is a part of the test's own. */
  readonly member: Member | null;
  /** How the service reaches it. Asked before each life of a process. */
  environment(): NodeJS.ProcessEnv;
  close(): Promise<void>;
}

interface ProviderOptions {
  /** For its book and the bank's. */
  readonly folder: string;
  readonly webhookUrl: string;
}

const stepDelayMs = 20;

/** A simulator in the process of the test, which does not die. */
export async function startProvider({
  folder,
  webhookUrl,
}: ProviderOptions): Promise<ProviderSide> {
  const config = {
    ...readSimulatorConfig({}),
    port: 0,
    ledgerFile: join(folder, 'ledger.jsonl'),
    stepDelayMs,
    webhookUrl,
    bank: null,
  };
  const { url, close } = await startSimulator(config);
  const environment = () => ({ SIMULATOR_URL: url });
  return { url, apiKey: config.apiKey, isBank: false, member: null, environment, close };
}

const bankPassword = 'the-password-of-a-test';

/** The key of the bank's SFTP server, which its first start makes. */
async function makeHostKey(config: SimulatorConfig): Promise<string> {
  const first = await startSimulator(config);
  await first.close();
  return first.sftp?.hostKey ?? '';
}

/**
 * A simulator that is a bank, as a process that dies and comes back: it serves the same folders directly and over SFTP.
 *
 * @param way asked before each life of a process of the service: which of the two it takes
 */
export async function startMortalProvider(
  { folder, webhookUrl }: ProviderOptions,
  way: () => BankWay,
): Promise<ProviderSide> {
  const [port, sftpPort] = [await freePort(), await freePort()];
  const bankFolder = join(folder, 'bank');
  const settings = {
    SIMULATOR_PORT: String(port),
    SIMULATOR_LEDGER_FILE: join(folder, 'ledger.jsonl'),
    SIMULATOR_STEP_DELAY_MS: String(stepDelayMs),
    SIMULATOR_WEBHOOK_URL: webhookUrl,
    SIMULATOR_BANK_FOLDER: bankFolder,
    // A fortnight ago no payment of today can come back any more.
    SIMULATOR_BANK_DAYS_BEHIND: '14',
    SIMULATOR_BANK_SFTP_PORT: String(sftpPort),
    SIMULATOR_BANK_SFTP_PASSWORD: bankPassword,
  };
  const config = readSimulatorConfig(settings);
  const url = `http://127.0.0.1:${port}`;
  const ways: Readonly<Record<BankWay, NodeJS.ProcessEnv>> = {
    folder: { SANDBOX_BANK_FOLDER: join(bankFolder, 'customers') },
    sftp: {
      SANDBOX_BANK_SFTP_URL: `sftp://sandbox@127.0.0.1:${sftpPort}`,
      SANDBOX_BANK_SFTP_HOST_KEY: await makeHostKey(config),
      SANDBOX_BANK_SFTP_PASSWORD: bankPassword,
    },
  };
  const member = startMember({
    name: 'simulator',
    entry: programs.simulator,
    environment: () => settings,
  });
  return {
    url,
    apiKey: config.apiKey,
    isBank: true,
    member,
    environment: () => ({ SIMULATOR_URL: url, ...ways[way()] }),
    close: () => member.stop(),
  };
}
