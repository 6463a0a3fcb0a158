import { versionOf } from '../look/asset.ts';
import { brandFile, brandSheet } from './brand.ts';
import type { ChosenLanguage, Language } from './languages.ts';

/** The addresses that the pages of one request lead to. */
export interface Links {
  /** A page of the link: a step, `thanks`, or the first page without a name. */
  page(name?: string, query?: Readonly<Record<string, string>>): string;
  /** The page at hand in another language. */
  inLanguage(language: Language): string;
  asset(file: string): string;
  /** The style sheet of a colour `#rrggbb`. */
  brand(color: string): string;
  /** The logo of the business that asks, by its digest. */
  logo(digest: string): string;
}

/**
 * Makes the links. They begin with the path of PUBLIC_URL, for servers that are reached under one,
 * and carry the language that the reader chose.
 * @param here the name of the page at hand
 */
export function createLinks(
  publicUrl: string,
  token: string,
  here: string,
  { language, explicit }: ChosenLanguage,
  assets: ReadonlyMap<string, string>,
): Links {
  const base = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/collect`;
  const path = (name: string): string => {
    // The token has been checked for its form, or is empty where it had none.
    const start = token === '' ? base : `${base}/${token}`;
    return name === '' ? start : `${start}/${name}`;
  };
  const withQuery = (name: string, query: Readonly<Record<string, string>>): string => {
    const text = new URLSearchParams(query).toString();
    return text === '' ? path(name) : `${path(name)}?${text}`;
  };
  return {
    page: (name = '', query = {}) =>
      withQuery(name, { ...query, ...(explicit ? { lang: language } : {}) }),
    inLanguage: (other) => withQuery(here, { lang: other }),
    asset: (file) => `${base}/assets/${file}?v=${assets.get(file) ?? ''}`,
    brand: (color) => `${base}/assets/${brandFile(color)}?v=${versionOf(brandSheet(color))}`,
    logo: (digest) => path(`logo/${digest}`),
  };
}
