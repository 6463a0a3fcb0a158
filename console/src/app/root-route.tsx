import { createRootRoute, Link, Outlet } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { texts } from '../texts/texts.ts';

function NotFound() {
  const { title, text, home } = texts.failed.notFound;
  return (
    <main className="shell-main">
      <Page title={title} lead={text}>
        <Link to="/">{home}</Link>
      </Page>
    </main>
  );
}

/** A fault of the console itself: a page that cannot be drawn, or whose file is of another version. */
function Broken() {
  const { title, text } = texts.failed.page;
  return (
    <main className="shell-main">
      <Page title={title} lead={text}>
        <Button onClick={() => location.reload()}>{texts.action.retry}</Button>
      </Page>
    </main>
  );
}

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: Broken,
});
