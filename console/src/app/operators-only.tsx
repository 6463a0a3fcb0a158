import { Link, useLocation } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { texts } from '../texts/texts.ts';

const { title, text, signIn, back } = texts.failed.operatorsOnly;

/** What a member finds at the address of an operators' page: whose it is, the way to it, and the way back. */
export function OperatorsOnly() {
  const { href } = useLocation();
  return (
    <Page title={title} lead={text}>
      <p className="row">
        <Link className="button" to="/sign-in" search={{ as: 'operator', to: href }}>
          {signIn}
        </Link>
        <Link to="/">{back}</Link>
      </p>
    </Page>
  );
}
