import { describe, expect, it } from 'vitest';
import { corporateDomain, freeMailDomains } from '../../src/access/free-mail.ts';
import { emailDomain } from '../../src/values/fields.ts';

describe('the free-mail list', () => {
  it('holds well-formed lower-case domains only', () => {
    expect(freeMailDomains.size).toBeGreaterThan(400);
    for (const domain of freeMailDomains) expect(emailDomain(`a@${domain}`)).toBe(domain);
  });
});

describe('corporateDomain', () => {
  it.each([
    ['ada@gmail.com'],
    ['Ada@GMail.COM'],
    ['ada@yahoo.co.uk'],
    ['ada@hotmail.com.br'],
    ['ada@gmx.de'],
    ['ada@qq.com'],
    ['ada@mail.ru'],
    ['ada@icloud.com'],
    ['ada@proton.me'],
    ['ada@example.com'],
    ['ada@example.org'],
    ['ada@example.net'],
  ])('%s claims nothing', (address) => {
    expect(corporateDomain(address)).toBeNull();
  });

  it.each([
    ['ada@acme.io', 'acme.io'],
    ['Ada@ACME.Io', 'acme.io'],
    [' ada@acme.io ', 'acme.io'],
    ['ada@mail.acme.co.uk', 'mail.acme.co.uk'],
    ['ada@notgmail.com', 'notgmail.com'],
    ['ada@gmail.com.acme.io', 'gmail.com.acme.io'],
    ['ada@acme.test', 'acme.test'],
    ['ada@acme.example', 'acme.example'],
    ['ada@acme.example.com', 'acme.example.com'],
    ['ada@BÜCHER.de', 'xn--bcher-kva.de'],
    ['ada@xn--bcher-kva.de', 'xn--bcher-kva.de'],
  ])('%s claims %s', (address, domain) => {
    expect(corporateDomain(address)).toBe(domain);
  });

  it.each([['acme.io'], [''], ['ada@'], ['ada@localhost'], ['ada@[127.0.0.1]'], ['ada@127.0.0.1']])(
    '%s names no company',
    (address) => {
      expect(corporateDomain(address)).toBeNull();
    },
  );
});
