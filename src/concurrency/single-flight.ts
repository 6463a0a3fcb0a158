/** Work that several callers want at the same time, done once: who comes while it is under way gets its result too. */
export class SingleFlight<Result> {
  readonly #underWay = new Map<string, Promise<Result>>();

  /**
   * The result of the work that is under way for the key, or of `work` where none is. Throws what the work throws,
   * to everybody who waits for it.
   */
  do(key: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }
}
