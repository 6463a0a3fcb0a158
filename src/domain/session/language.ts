import { platformStatement, rows } from '../../db/pool.ts';
import type { LanguageCode } from '../../reference/languages.ts';
import type { SignedInCall } from './caller.ts';

const ofMember = platformStatement({
  name: 'change_language_of_user',
  text: 'UPDATE app_user u SET language = $2 WHERE u.id = $1',
});

const ofOperator = platformStatement({
  name: 'change_language_of_operator',
  text: 'UPDATE operator_user o SET language = $2 WHERE o.id = $1',
});

/** Keeps the language in which the person reads the console, in every browser and business of theirs. */
export async function changeLanguage(
  { services, person }: SignedInCall,
  language: LanguageCode,
): Promise<LanguageCode> {
  const [statement, id] =
    person.kind === 'member' ? [ofMember, person.userId] : [ofOperator, person.operatorUserId];
  await rows(services.pool, statement, [id, language]);
  return language;
}
