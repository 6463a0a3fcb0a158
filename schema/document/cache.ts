import type { DocumentNode } from 'graphql';

/**
 * Memory of all kept documents, in tokens, of which each is some 300 bytes as a tree; eight
 * characters of the text count as one.
 */
const capacity = 100_000;

interface CachedDocument {
  readonly document: DocumentNode;
  readonly weight: number;
}

/** Documents that are valid, by their text; who was not asked for longest gives way. */
export class DocumentCache {
  readonly #kept = new Map<string, CachedDocument>();
  #weight = 0;

  get(text: string): DocumentNode | undefined {
    const kept = this.#kept.get(text);
    if (kept === undefined) return undefined;
    // The order of the map is the order of use.
    this.#kept.delete(text);
    this.#kept.set(text, kept);
    return kept.document;
  }

  set(text: string, document: DocumentNode, tokens: number): void {
    this.#remove(text);
    const weight = Math.max(tokens, text.length / 8);
    this.#kept.set(text, { document, weight });
    this.#weight += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= capacity) break;
      this.#remove(oldest);
    }
  }

  #remove(text: string): void {
    this.#weight -= this.#kept.get(text)?.weight ?? 0;
    this.#kept.delete(text);
  }
}
