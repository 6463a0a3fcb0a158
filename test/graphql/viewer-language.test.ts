import { describe, expect, it } from 'vitest';
import { addOperatorUser } from '../../src/access/operator-user.ts';
import { languageCodes } from '../../src/reference/languages.ts';
import { holderOf, sessionLike, sessionOf } from '../support/sessions.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness();
const tenant = useTenant(harness);

const change = (key: string, language: string) =>
  harness.graphql(
    key,
    'mutation ($language: CollectionLanguage!) { viewerLanguageChange(language: $language) }',
    { language },
  );
async function languageOf(key: string): Promise<unknown> {
  const { body } = await harness.graphql(key, '{ viewer { language } }');
  return body.data.viewer.language;
}

describe('the language of a person', () => {
  it('is unknown until they choose one, and then follows them into every session', async () => {
    const [here, there] = [
      await sessionLike(harness, tenant.key),
      await sessionLike(harness, tenant.key),
    ];
    expect(await languageOf(here)).toBeNull();
    for (const language of languageCodes) {
      const { body } = await change(here, language);
      expect(body.data.viewerLanguageChange).toBe(language);
      expect(await languageOf(there)).toBe(language);
    }
    expect((await change(here, 'pt')).body.data.viewerLanguageChange).toBe('pt');
  });

  it('is nobody else’s', async () => {
    const colleague = await sessionLike(harness, await tenant.keyWithRole('viewer'));
    const before = await languageOf(colleague);
    await change(await sessionLike(harness, tenant.key), 'fr');
    expect(await languageOf(colleague)).toBe(before);
    expect((await change(colleague, 'es')).body.data.viewerLanguageChange).toBe('es');
  });

  it('is one for all businesses of theirs', async () => {
    const { userId, membershipId } = await holderOf(harness, tenant.key);
    await change((await sessionOf(harness, { userId }, membershipId)).key, 'de');
    const { rows } = await harness.database.pool.query(
      'SELECT language FROM app_user WHERE id = $1',
      [userId],
    );
    expect(rows).toEqual([{ language: 'de' }]);
  });

  it('is kept for an operator too', async () => {
    const ada = { email: 'language@example.com', name: 'Ada' };
    const operatorUserId = await addOperatorUser(harness.database.pool, ada);
    const { key } = await sessionOf(harness, { operatorUserId });
    expect(await languageOf(key)).toBeNull();
    expect((await change(key, 'de')).body.data.viewerLanguageChange).toBe('de');
    expect(await languageOf(key)).toBe('de');
  });

  it('is not of a key, nor of nobody, nor any other than ours', async () => {
    const codeOf = async (key: string | undefined, language = 'de') => {
      const { body } = await harness.graphql(
        key,
        'mutation ($language: CollectionLanguage!) { viewerLanguageChange(language: $language) }',
        { language },
      );
      return body.errors?.[0].extensions.code;
    };
    expect(await codeOf(tenant.key)).toBe('forbidden');
    expect(await codeOf(undefined)).toBe('unauthorized');
    const key = await sessionLike(harness, tenant.key);
    const before = await languageOf(key);
    expect(await codeOf(key, 'it')).toBeDefined();
    expect(await languageOf(key)).toBe(before);
  });
});
