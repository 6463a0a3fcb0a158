import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { installTracing, traceOf, withTrace } from '../../src/process/tracing.ts';
import { createGatewayClient } from '../../src/providers/gateway/client.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const heard: (string | string[] | undefined)[] = [];
let provider: Server;

beforeAll(async () => {
  provider = createServer((request, response) => {
    heard.push(request.headers['traceparent']);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  installTracing(null);
  provider.close();
});

async function ask(): Promise<void> {
  const { port } = provider.address() as AddressInfo;
  const access = { name: 'acme', apiKey: 'key', webhookSecrets: ['secret'] };
  const client = createGatewayClient({ ...access, baseUrl: `http://127.0.0.1:${port}` });
  await client.ask({ method: 'GET', path: '/', answer: z.object({}) }, undefined);
  await client.close();
}

it('nothing carries a trace until traces are on; then jobs and calls of the provider do', async () => {
  const payload = { tenantId: 'ten_1', payoutId: 'pay_1' };
  expect(withTrace(payload)).toBe(payload);
  expect(traceOf({ ...payload, _trace: traceparent })).toBeUndefined();
  await ask();
  expect(heard).toEqual([undefined]);

  installTracing({
    run: (_span, work) => work(() => {}),
    traceparent: () => traceparent,
    flush: async () => {},
  });
  expect(withTrace(payload)).toEqual({ ...payload, _trace: traceparent });
  expect(traceOf(withTrace(payload))).toBe(traceparent);
  await ask();
  expect(heard).toEqual([undefined, traceparent]);
});
