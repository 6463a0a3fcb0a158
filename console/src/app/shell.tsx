import { Link, Navigate, Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { use, useCallback, useEffect, useState, type ComponentProps } from 'react';
import { useQuery } from 'urql';
import icon from '../look/icon.svg';
import { Failed } from '../parts/blank.tsx';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { announce } from '../parts/live.tsx';
import { Loading } from '../parts/loading.tsx';
import { ExactTimesButton } from '../parts/time.tsx';
import { texts } from '../texts/texts.ts';
import { faultOf } from '../values/fault.ts';
import { post } from './auth.ts';
import { actFor, whenUnauthorized } from './client.ts';
import { refreshAll } from './fresh.ts';
import { useKept } from './kept.ts';
import { EnvironmentBanner } from './environment.tsx';
import { isOfOperators, navigationOf } from './navigation.ts';
import { AskName } from './own-name.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { OperatorsOnly } from './operators-only.tsx';
import { tellOtherTabs, whenOtherTabs } from './other-tabs.ts';
import { OwnLanguage } from './own-language.tsx';
import { Renew } from './renew.ts';
import { Search, SearchButton } from './search.tsx';
import { businessOf, SessionContext, useSession } from './session.ts';
import { viewerDocument } from '../../../generated/console-types/app/session.ts';
import { SessionEnded } from './session-ended.tsx';

/**
 * The frame of every page that needs a session: without one it leads to the sign-in page, and back. A page whose session
 * ends under its reader stays as it is until they have signed in again.
 */
export function Shell() {
  const renewClient = use(Renew);
  const [{ data, error }, execute] = useQuery({ query: viewerDocument });
  const [ended, setEnded] = useState(false);
  const [left, setLeft] = useState(false);
  useEffect(() => {
    whenUnauthorized(() => setEnded(true));
    return () => whenUnauthorized(() => {});
  }, []);
  // Who signs out leaves nothing behind in other tabs.
  useEffect(() => whenOtherTabs('signed-out', renewClient), [renewClient]);
  const resume = useCallback(() => {
    setEnded(false);
    execute({ requestPolicy: 'network-only' });
    refreshAll();
    announce(texts.signIn.again.resumed);
  }, [execute]);
  const fault = error === undefined ? null : faultOf(error);
  const viewer = useKept('', data, fault !== null).data?.viewer ?? null;
  if (left) return <ToSignIn ended />;
  if (viewer === null) {
    if (ended || fault?.code === 'unauthorized') return <ToSignIn ended={false} />;
    if (fault === null) return <Loading lines={8} />;
    return (
      <main>
        <Failed fault={fault} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      </main>
    );
  }
  // Pages below read with the next effect, so what they send is marked already.
  actFor(viewer.actingFor);
  const renew = () => {
    actFor(null);
    renewClient();
  };
  return (
    <SessionContext value={{ viewer, renew }}>
      <OwnLanguage key={viewer.actingFor} viewer={viewer}>
        <Frame />
      </OwnLanguage>
      {ended && <Ended viewer={viewer} onResumed={resume} onLeft={() => setLeft(true)} />}
    </SessionContext>
  );
}

type EndedProps = Omit<ComponentProps<typeof SessionEnded>, 'to'>;

function Ended(props: EndedProps) {
  const { href } = useLocation();
  return <SessionEnded {...props} to={href} />;
}

/** Leads to the sign-in page, and from there back to the page that was asked for. */
function ToSignIn({ ended }: { readonly ended: boolean }) {
  const router = useRouter();
  const [to] = useState(() => router.latestLocation.href);
  useEffect(() => {
    void router.navigate({ to: '/sign-in', search: ended ? { to, ended } : { to }, replace: true });
  }, [router, to, ended]);
  return <Loading lines={8} />;
}

/** The frame around a page. */
function Frame() {
  const { pathname } = useLocation();
  // On a phone the menu is open on the page on which it was opened, and shut on the one that it led to.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const menu = openOn === pathname;
  const [searching, setSearching] = useState(false);
  const search = useCallback(() => setSearching(true), []);
  return (
    <>
      <a className="skip" href="#main">
        {texts.skip}
      </a>
      <EnvironmentBanner />
      <Search open={searching} onOpen={search} onClose={() => setSearching(false)} />
      <div className="shell">
        <header className="shell-head">
          <div className="shell-bar">
            <Name />
            <SearchButton onOpen={search} />
            <Button
              aria-expanded={menu}
              aria-controls="side"
              onClick={() => setOpenOn(menu ? null : pathname)}
            >
              <Icon name="menu" />
              <span className="hidden">{texts.navigation.menu}</span>
            </Button>
          </div>
          <div className="shell-side" id="side" data-open={menu}>
            <Name />
            <SearchButton onOpen={search} />
            <Navigation />
            <Person />
          </div>
        </header>
        <main className="shell-main" id="main" tabIndex={-1}>
          <NotLoaded />
          <AskName />
          <Content />
        </main>
      </div>
    </>
  );
}

/** The page, where it is for the viewer. The overview is of a business, so operators begin with a page of their own. */
function Content() {
  const { viewer } = useSession();
  const { pathname } = useLocation();
  if (viewer.isOperator && pathname === '/') return <Navigate to="/operator/businesses" replace />;
  if (!viewer.isOperator && isOfOperators(pathname)) return <OperatorsOnly />;
  return <Outlet />;
}

function Name() {
  const { viewer } = useSession();
  return (
    <div className="shell-name">
      <img src={icon} alt="" />
      <span>{businessOf(viewer)?.businessName ?? texts.product}</span>
    </div>
  );
}

function Navigation() {
  const { viewer } = useSession();
  return (
    <nav className="navigation" aria-label={texts.navigation.label}>
      {navigationOf(viewer).map(({ title, items }) => (
        <div key={title}>
          {title !== null && <h2>{title}</h2>}
          <ul>
            {items.map(({ to, text, icon: sign }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
                  <Icon name={sign} />
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Person() {
  const { viewer, renew } = useSession();
  const who = viewer.name ?? viewer.email;
  const signOut = async () => {
    await post('sign-out');
    tellOtherTabs('signed-out');
    renew();
  };
  return (
    <div className="shell-person">
      <div className="person">
        <span className="initial" aria-hidden>
          {who.slice(0, 1).toUpperCase()}
        </span>
        <div>
          <p title={who}>{who}</p>
          {viewer.role && <p className="muted">{texts.roles[viewer.role]}</p>}
        </div>
      </div>
      <ExactTimesButton />
      <Button kind="plain" onClick={() => void signOut()}>
        <Icon name="leave" />
        {texts.person.signOut}
      </Button>
    </div>
  );
}
