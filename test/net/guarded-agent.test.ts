import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from 'undici';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createGuardedAgent,
  TlsError,
  type GuardedAgentOptions,
} from '../../src/net/guarded-agent.ts';
import { LookupError, RefusedTargetError, type Lookup } from '../../src/net/resolve.ts';
import { startHttpsServer, type TestHttpsServer } from '../support/https-server.ts';
import { createTestAuthority, type TestAuthority } from '../support/tls.ts';

let authority: TestAuthority;
let folder: string;
let caFile: string;
let server: TestHttpsServer;
const agents: Agent[] = [];

beforeAll(async () => {
  authority = await createTestAuthority();
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guarded-agent-'));
  caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.pem);
  const certificate = await authority.issue(['localhost', 'receiver.test', '127.0.0.1']);
  server = await startHttpsServer(certificate, (request, response) => {
    response.end(request.headers.host);
  });
});

afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
  await server.close();
  rmSync(folder, { recursive: true });
});

function newAgent(options: Partial<GuardedAgentOptions> = {}): Agent {
  const agent = createGuardedAgent({
    allowedHosts: ['receiver.test'],
    extraCaFile: () => caFile,
    connectTimeoutMs: 5_000,
    lookup: async () => ['127.0.0.1'],
    ...options,
  });
  agents.push(agent);
  return agent;
}

async function get(agent: Agent, host = 'receiver.test', scheme = 'https'): Promise<string> {
  const origin = `${scheme}://${host}:${server.port}`;
  const answer = await agent.request({ origin, path: '/', method: 'GET' });
  return answer.body.text();
}

/** A lookup that answers each call with the next of `answers`, the last one for ever. */
function answeringInTurn(...answers: string[][]): { lookup: Lookup; calls: () => number } {
  let calls = 0;
  const lookup = async (): Promise<string[]> => {
    calls += 1;
    return answers[Math.min(calls, answers.length) - 1] ?? [];
  };
  return { lookup, calls: () => calls };
}

describe('a connection', () => {
  it('goes to the address that was checked, under the name of the URL', async () => {
    const { lookup, calls } = answeringInTurn(['127.0.0.1'], ['192.0.2.1']);
    expect(await get(newAgent({ lookup }))).toBe(`receiver.test:${server.port}`);
    expect(calls()).toBe(1);
    expect(server.serverNames).toEqual(['receiver.test']);
  });

  it('is used again, without another lookup', async () => {
    const { lookup, calls } = answeringInTurn(['127.0.0.1']);
    const agent = newAgent({ lookup });
    for (let request = 0; request < 10; request += 1) await get(agent);
    // undici may open a second one while the first is still clearing away an answer.
    expect(server.connections()).toBeLessThanOrEqual(2);
    expect(calls()).toBe(server.connections());
  });

  it('tries the next address where one does not answer', async () => {
    // Nothing listens on 127.0.0.2, since the server is bound to 127.0.0.1.
    const agent = newAgent({ lookup: async () => ['127.0.0.2', '127.0.0.1'] });
    expect(await get(agent)).toBe(`receiver.test:${server.port}`);
  });

  it('reaches an allowed host by the means of the machine', async () => {
    const agent = createGuardedAgent({
      allowedHosts: ['localhost'],
      extraCaFile: () => caFile,
      connectTimeoutMs: 5_000,
    });
    agents.push(agent);
    expect(await get(agent, 'localhost')).toBe(`localhost:${server.port}`);
  });

  it('verifies an allowed literal by its address and sends no server name', async () => {
    expect(await get(newAgent({ allowedHosts: ['127.0.0.1'] }), '127.0.0.1')).toContain(
      '127.0.0.1',
    );
    expect(server.serverNames).toEqual([null]);
  });
});

describe('a refusal', () => {
  afterEach(() => expect(server.connections()).toBe(0));

  it.each([
    [['127.0.0.1']],
    [['1.1.1.1', '127.0.0.1']],
    [['127.0.0.1', '1.1.1.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['2002:7f00:1::']],
    [['169.254.169.254']],
    [['']],
  ])('meets a name with the addresses %j', async (addresses) => {
    const agent = newAgent({ allowedHosts: [], lookup: async () => addresses });
    await expect(get(agent)).rejects.toThrow(RefusedTargetError);
  });

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:7f00:1]'])(
    'meets the literal %s, for which Node would ask no lookup',
    async (host) => {
      await expect(get(newAgent(), host)).rejects.toThrow(RefusedTargetError);
    },
  );

  it('meets a name that was public when it was registered (DNS rebinding)', async () => {
    const { lookup } = answeringInTurn(['1.1.1.1'], ['127.0.0.1']);
    expect(await lookup('hooks.example.com')).toEqual(['1.1.1.1']);
    await expect(get(newAgent({ lookup }), 'hooks.example.com')).rejects.toThrow(
      RefusedTargetError,
    );
  });

  it('meets http, even to an allowed host', async () => {
    await expect(get(newAgent(), 'receiver.test', 'http')).rejects.toThrow(RefusedTargetError);
  });

  it('meets a name that does not resolve', async () => {
    const lookup = async (): Promise<string[]> => {
      throw new Error('no such name');
    };
    await expect(get(newAgent({ lookup }))).rejects.toThrow(LookupError);
  });
});

describe('the certificate', () => {
  const other = async (hosts: string[], options = {}): Promise<void> => {
    await server.close();
    server = await startHttpsServer(await authority.issue(hosts, options), (_request, response) =>
      response.end('ok'),
    );
  };

  it('must come from a known authority', async () => {
    await expect(get(newAgent({ extraCaFile: () => null }))).rejects.toThrow(TlsError);
  });

  it('must be of the host', async () => {
    await other(['someone-else.test', '127.0.0.1']);
    await expect(get(newAgent())).rejects.toThrow(TlsError);
  });

  it('must not have expired', async () => {
    await other(['receiver.test'], { expired: true });
    await expect(get(newAgent())).rejects.toThrow(/certificate has expired/);
  });

  it('is checked whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      await expect(get(newAgent({ extraCaFile: () => null }))).rejects.toThrow(TlsError);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('the extra authority', () => {
  it('may come, change and go while the process runs', async () => {
    rmSync(caFile);
    const agent = newAgent();
    await expect(get(agent)).rejects.toThrow(TlsError);
    writeFileSync(caFile, (await createTestAuthority('Another authority')).pem);
    await expect(get(agent)).rejects.toThrow(TlsError);
    writeFileSync(
      caFile,
      `Both of them:\n${(await createTestAuthority()).pem}\n${authority.pem}\n`,
    );
    expect(await get(agent)).toContain('receiver.test');
  });

  it('is trusted no more when its file is gone', async () => {
    rmSync(caFile);
    await expect(get(newAgent())).rejects.toThrow(TlsError);
  });

  it.each([
    '',
    'not a certificate',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  ])('is told of once when its file holds %j', async (content) => {
    writeFileSync(caFile, content);
    const problems: string[] = [];
    const agent = newAgent({ onCaFileProblem: (error) => problems.push(error.message) });
    await expect(get(agent)).rejects.toThrow(TlsError);
    await expect(get(agent)).rejects.toThrow(TlsError);
    expect(problems).toEqual([`${caFile}: no usable certificates`]);
  });
});
