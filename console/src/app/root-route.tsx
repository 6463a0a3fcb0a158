import { createRootRoute, Link, Outlet } from '@tanstack/react-router';
import { LiveRegion } from '../parts/live.tsx';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { texts } from '../texts/en.ts';

function NotFound() {
  const { title, text, home } = texts.failed.notFound;
  return (
    <Page title={title} lead={text}>
      <Link to="/">{home}</Link>
    </Page>
  );
}

/** A fault of the console itself: a page that cannot be drawn, or whose file is of another version. */
function Broken() {
  const { title, text } = texts.failed.page;
  return (
    <Page title={title} lead={text}>
      <Button onClick={() => location.reload()}>{texts.action.retry}</Button>
    </Page>
  );
}

export const rootRoute = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <LiveRegion />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: Broken,
});
