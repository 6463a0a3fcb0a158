import { getRouteApi, Link, useLocation, useRouter } from '@tanstack/react-router';
import { use, useState, type ReactNode } from 'react';
import { isOfOperators } from '../../app/navigation.ts';
import { tellOtherTabs } from '../../app/other-tabs.ts';
import { Renew } from '../../app/renew.ts';
import icon from '../../look/icon.svg';
import { LanguageChoice } from '../../parts/language-choice.tsx';
import { Note } from '../../parts/note.tsx';
import { keepLanguage } from '../../texts/language.ts';
import { texts } from '../../texts/texts.ts';
import { LinkForm } from '../../app/sign-in/link-form.tsx';
import { OtherWays } from '../../app/sign-in/other-ways.tsx';
import { OpenLink } from './open-link.tsx';
import { takeWayBack } from '../../app/sign-in/way-back.ts';
import type { LanguageCode } from '../../../../generated/console-types/languages.ts';

const route = getRouteApi('/sign-in');

/** Signs a person in: by a link that was mailed, and by the ways that the service offers beside it. */
export function SignInPage() {
  const { to, ended, error, as: chosen } = route.useSearch();
  // Who comes from a page of operators was one.
  const as = chosen ?? (isOfOperators(to ?? '/') ? 'operator' : undefined);
  const { hash } = useLocation();
  const router = useRouter();
  const renew = use(Renew);
  const [refused, setRefused] = useState(false);
  const signedIn = (page = to ?? '/') => {
    tellOtherTabs('signed-in');
    renew();
    router.history.replace(`/console${page}`);
  };
  if (hash !== '' && !refused) {
    return (
      <Frame>
        <OpenLink
          token={hash}
          onDone={() => signedIn(takeWayBack())}
          onRefused={() => setRefused(true)}
        />
      </Frame>
    );
  }
  return (
    <Frame>
      {refused && <Note tone="bad">{texts.signIn.link.failed}</Note>}
      {ended && <Note>{texts.signIn.ended}</Note>}
      {error && <Note tone="bad">{texts.signIn.company[error]}</Note>}
      <LinkForm key={as} as={as} to={to} />
      <OtherWays as={as} onDone={() => signedIn()} />
      <p className="sign-in-as">
        {as === undefined ? (
          <Link to="/sign-in" search={{ as: 'operator' }}>
            {texts.signIn.operator.choose}
          </Link>
        ) : (
          <Link to="/sign-in" search={{}}>
            {texts.signIn.operator.leave}
          </Link>
        )}
      </p>
    </Frame>
  );
}

/** Nobody is known yet, so the choice is kept in this browser until somebody has signed in. */
function choose(code: LanguageCode) {
  if (keepLanguage(code, 'reader')) window.location.reload();
}

function Frame({ children }: { readonly children: ReactNode }) {
  return (
    <main className="sign-in">
      <div className="card">
        <div className="shell-name">
          <img src={icon} alt="" />
          <span>{texts.product}</span>
        </div>
        <h1>{texts.signIn.title}</h1>
        {children}
      </div>
      <LanguageChoice onChoose={choose} />
    </main>
  );
}
