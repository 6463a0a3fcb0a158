import { textFor, texts } from '../../texts/texts.ts';

const words = texts.accounts;

/** How a provider is called; one without a text is called as its adapter is. */
export const adapterName = (adapter: string): string =>
  textFor(words.providers, adapter) ?? adapter;

/** How a field of an account is called. */
export const fieldName = (name: string): string => textFor(words.fields, name) ?? name;
