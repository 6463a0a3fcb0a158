import { describe, expect, it } from 'vitest';
import {
  resolvedTargetProblem,
  targetProblemMessages,
  webhookTargetProblem,
} from '../../../../src/domain/webhook/subscription/target.ts';

const strict = { allowedHosts: [] };

describe('webhookTargetProblem', () => {
  it.each([
    'https://example.com/hooks',
    'https://example.com:8443/hooks?tenant=1',
    'https://EXAMPLE.com./hooks',
    'https://bücher.example/hooks',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://notlocal.example/',
    'https://internal.example.com/',
    `https://example.com/${'a'.repeat(2_028)}`,
  ])('accepts %s', (url) => {
    expect(webhookTargetProblem(url, strict)).toBeNull();
  });

  it.each([
    ['', 'invalid_format'],
    ['example.com/hooks', 'invalid_format'],
    ['https://', 'invalid_format'],
    ['https:example.com', 'invalid_format'],
    ['https:///example.com', 'invalid_format'],
    ['https:\\\\example.com', 'invalid_format'],
    [' https://example.com', 'invalid_format'],
    ['https://exa\nmple.com', 'invalid_format'],
    ['https://example.com/\u0000', 'invalid_format'],
    ['https://1.2.3.4.5/', 'invalid_format'],
    ['http://example.com/hooks', 'https_required'],
    ['ftp://example.com/', 'https_required'],
    ['javascript:alert(1)', 'https_required'],
    ['https://user@example.com/', 'credentials_not_allowed'],
    ['https://user:secret@example.com/', 'credentials_not_allowed'],
    ['https://:secret@example.com/', 'credentials_not_allowed'],
    ['https://example.com/#part', 'fragment_not_allowed'],
    ['https://example.com/#', 'fragment_not_allowed'],
    [`https://example.com/${'a'.repeat(2_029)}`, 'too_long'],
  ])('refuses %j as %s', (url, problem) => {
    expect(webhookTargetProblem(url, strict)).toBe(problem);
  });

  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'api.localhost',
    'printer.local',
    'db.internal',
    'metadata.google.internal',
    'metadata.google.internal.',
    'nas.lan',
    'box.home.arpa',
    'intranet',
    'metadata',
    'ip6-localhost',
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '10.0.0.1',
    '3232235777',
    '169.254.169.254',
    '0xa9fea9fe',
    '0',
    '0.0.0.0',
    '255.255.255.255',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::169.254.169.254]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[ff02::1]',
  ])('finds %s not public', (host) => {
    expect(webhookTargetProblem(`https://${host}/hooks`, strict)).toBe('target_not_public');
  });

  it('lets allowed hosts pass by name, over https alone', () => {
    const options = { allowedHosts: ['LocalHost', '127.0.0.1', '[::1]', 'receiver.internal'] };
    for (const host of [
      'localhost:9443',
      '127.1',
      '[::1]',
      'receiver.internal.',
      'RECEIVER.internal',
    ]) {
      expect(webhookTargetProblem(`https://${host}/`, options)).toBeNull();
    }
    expect(webhookTargetProblem('http://localhost/', options)).toBe('https_required');
    expect(webhookTargetProblem('https://a@localhost/', options)).toBe('credentials_not_allowed');
    for (const host of ['127.0.0.2', 'other.internal', 'a.localhost', 'receiver.internal.lan']) {
      expect(webhookTargetProblem(`https://${host}/`, options)).toBe('target_not_public');
    }
  });

  it('has a message for each problem', () => {
    for (const message of Object.values(targetProblemMessages)) expect(message).toMatch(/\.$/);
  });
});

describe('resolvedTargetProblem', () => {
  const url = 'https://hooks.example.com/';
  const answering = (...addresses: string[]) => ({ ...strict, lookup: async () => addresses });

  it('accepts a name whose addresses are all public', async () => {
    const options = answering('93.184.216.34', '2606:2800:220:1::1');
    expect(await resolvedTargetProblem(url, options)).toBeNull();
  });

  it.each([
    [['10.0.0.1']],
    [['93.184.216.34', '127.0.0.1']],
    [['169.254.169.254', '93.184.216.34']],
    [['93.184.216.34', '::ffff:192.168.0.1']],
    [['64:ff9b::a00:1']],
    [['2002:a00:1::']],
    [['no address']],
  ])('refuses a name that resolves to %j', async (addresses) => {
    expect(await resolvedTargetProblem(url, answering(...addresses))).toBe('target_not_public');
  });

  it('does not resolve what is refused already', async () => {
    const lookup = async (): Promise<string[]> => {
      throw new Error('must not be asked');
    };
    const problem = await resolvedTargetProblem('http://a.example/', { ...strict, lookup });
    expect(problem).toBe('https_required');
  });

  it('leaves a name without an address to the connection', async () => {
    const lookup = async (): Promise<string[]> => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    expect(await resolvedTargetProblem(url, { ...strict, lookup })).toBeNull();
    expect(await resolvedTargetProblem(url, answering())).toBeNull();
  });

  it('lets an allowed host resolve to what it likes', async () => {
    const options = { allowedHosts: ['hooks.example.com'], lookup: async () => ['127.0.0.1'] };
    expect(await resolvedTargetProblem(url, options)).toBeNull();
  });
});
