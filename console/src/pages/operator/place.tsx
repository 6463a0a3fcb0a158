import { Link } from '@tanstack/react-router';
import { texts } from '../../texts/texts.ts';

interface Of {
  readonly companyName: string;
  readonly environment: 'sandbox' | 'production';
}

/** Whose something is. */
export function OfBusiness({ of }: { readonly of: Of | null | undefined }) {
  if (!of) return texts.operator.ofNobody;
  return (
    <>
      {of.companyName}
      <div className="muted small">{texts.environment[of.environment]}</div>
    </>
  );
}

/** The id of something, which leads to its page; where it has none, to what operators did about it. */
export function SubjectLink({ about }: { readonly about: string }) {
  if (about.startsWith('pay_')) {
    return (
      <Link to="/operator/payouts/$id" params={{ id: about }}>
        <code>{about}</code>
      </Link>
    );
  }
  if (about.startsWith('bbt_')) {
    return (
      <Link to="/operator/banks/batches/$id" params={{ id: about }} search={{}}>
        <code>{about}</code>
      </Link>
    );
  }
  return (
    <Link to="/operator/log" search={{ subject: about }}>
      <code>{about}</code>
    </Link>
  );
}

/** At which connection of which business something is. */
export function OfConnection({ of }: { readonly of: Of & { readonly connection: string } }) {
  return (
    <>
      <div className="small">{of.connection}</div>
      <div className="muted small">
        {texts.operator.at({
          business: of.companyName,
          environment: texts.environment[of.environment],
        })}
      </div>
    </>
  );
}
