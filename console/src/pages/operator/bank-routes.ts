import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf, textOf, type ListPlace } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';

const banksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/banks',
  validateSearch: (search): ListPlace & { connections?: string } => {
    const connections = textOf(search['connections']);
    return { ...placeOf(search), ...(connections === undefined ? {} : { connections }) };
  },
  component: lazyRouteComponent(() => import('./banks.tsx'), 'BanksPage'),
});

/** Where each list of the desk is. */
interface DeskPlace {
  readonly after?: string;
  readonly debits?: string;
  readonly answers?: string;
  readonly files?: string;
}

const deskRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/banks/desk',
  validateSearch: (search): DeskPlace => {
    const { after, debits, answers, files } = search;
    const known = {
      after: textOf(after),
      debits: textOf(debits),
      answers: textOf(answers),
      files: textOf(files),
    };
    return Object.fromEntries(Object.entries(known).filter(([, cursor]) => cursor !== undefined));
  },
  component: lazyRouteComponent(() => import('./bank-desk.tsx'), 'BankDeskPage'),
});

const batchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/banks/batches/$id',
  validateSearch: placeOf,
  component: lazyRouteComponent(() => import('./bank-batch.tsx'), 'BankBatchPage'),
});

/** The pages of operators about banks. */
export const operatorBankRoutes = [banksRoute, deskRoute, batchRoute] as const;
