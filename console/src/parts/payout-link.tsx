import { Link } from '@tanstack/react-router';

/** The id of a payout, which leads to its page. */
export function PayoutLink({ id }: { readonly id: string }) {
  return (
    <Link to="/payouts/$id" params={{ id }}>
      <code>{id}</code>
    </Link>
  );
}
