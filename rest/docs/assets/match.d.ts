import type { Entry } from '../page.ts';

/** Finds the places that have every word of the question, the best first. */
export function find(entries: readonly Entry[], question: string, limit: number): Entry[];

/** The part of a text around the first word of the question that it has. */
export function excerpt(text: string, question: string): string;
