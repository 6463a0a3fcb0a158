import type {
  BankScheme,
  PayoutRouteInput,
  RoutePartsFragment,
} from '../../../../generated/console-types/graphql.ts';
import { amountParts, minorOf } from '../../values/money.ts';

/** A connection to a bank or to a provider, to which a route may lead. */
export interface RoutedConnection {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** Absent for an account at a provider that is called. */
  readonly schemes?: readonly BankScheme[];
}

/** A route as somebody fills it in. */
export interface RouteRow {
  readonly key: number;
  /** The id of a connection, or the name of a provider; empty before one is chosen. */
  readonly target: string;
  readonly currency: string;
  readonly country: string;
  readonly scheme: BankScheme | undefined;
  /** As it was typed. */
  readonly from: string;
  readonly to: string;
}

/** Ids of connections begin so, and names of providers do not. */
const isConnection = (target: string): boolean => target.startsWith('bcn_');

const typed = (minor: number | null, currency: string | null): string => {
  if (minor === null || currency === null) return '';
  const { whole, fraction } = amountParts(minor, currency);
  return whole + fraction;
};

/** A route to be changed, or a new one. */
export function rowOf(route: RoutePartsFragment | null, key: number): RouteRow {
  if (route === null) {
    return { key, target: '', currency: '', country: '', scheme: undefined, from: '', to: '' };
  }
  const { provider, connectionId, currency, country, scheme } = route;
  return {
    key,
    target: connectionId ?? provider,
    currency: currency ?? '',
    country: country ?? '',
    scheme: scheme ?? undefined,
    from: typed(route.amountFromMinor, currency),
    to: typed(route.amountToMinor, currency),
  };
}

/** The route that a row says; null while its target is missing or an amount is none. */
export function inputOf({ target, currency, country, scheme, from, to }: RouteRow) {
  if (target === '') return null;
  const amountOf = (text: string) => (text.trim() === '' ? undefined : minorOf(text, currency));
  const [amountFromMinor, amountToMinor] = [amountOf(from), amountOf(to)];
  if (amountFromMinor === null || amountToMinor === null) return null;
  const input: PayoutRouteInput = {
    ...(isConnection(target) ? { connectionId: target } : { provider: target }),
    ...(currency !== '' && { currency }),
    ...(country !== '' && { country }),
    ...(scheme !== undefined && isConnection(target) && { scheme }),
    ...(amountFromMinor !== undefined && { amountFromMinor }),
    ...(amountToMinor !== undefined && { amountToMinor }),
  };
  return input;
}
