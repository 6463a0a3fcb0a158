/** What a demand says of the people who may meet it, as the database writes it down (approval-demands.sql). */
export interface AskedOf {
  readonly rule: number | null;
  readonly step: number;
  readonly approvals: number;
  readonly groups: readonly string[];
  readonly distinctFrom: readonly string[];
  readonly escalateTo: string | null;
}

/** Who made a payout, its payee and its account, by their users. */
export interface Makers {
  readonly creator: string | null;
  readonly payeeEditor: string | null;
  readonly accountChanger: string | null;
}

type PeopleOf = (group: string) => readonly string[];

/** Who may meet each demand at all, whatever the others decide. */
export function candidatesOf(
  demands: readonly AskedOf[],
  makers: Makers,
  peopleOf: PeopleOf,
): ReadonlySet<string>[] {
  const apart = demands.some(({ rule }) => rule === 0); // distinct_approver holds for every demand
  return demands.map(({ groups, escalateTo, distinctFrom }) => {
    const asked = escalateTo === null ? groups : [...groups, escalateTo];
    const people = new Set(asked.flatMap(peopleOf));
    const excluded = [
      apart || distinctFrom.includes('creator') ? makers.creator : null,
      distinctFrom.includes('payee_editor') ? makers.payeeEditor : null,
      distinctFrom.includes('account_changer') ? makers.accountChanger : null,
    ];
    for (const person of excluded) if (person !== null) people.delete(person);
    return people;
  });
}

/** Whether each of some places can have a person of its own. */
function areMatched(places: readonly ReadonlySet<string>[]): boolean {
  const placeOf = new Map<string, number>();
  const take = (place: number, seen: Set<string>): boolean => {
    for (const person of places[place] ?? []) {
      if (seen.has(person)) continue;
      seen.add(person);
      const held = placeOf.get(person);
      if (held === undefined || take(held, seen)) {
        placeOf.set(person, place);
        return true;
      }
    }
    return false;
  };
  return places.every((_people, place) => take(place, new Set()));
}

/**
 * Whether nobody could meet the demands: too few are in the groups of one, or of steps that exclude who approved earlier
 * ones there are not enough people together. Of several demands in one step the largest counts for that.
 */
export function isBeyondAll(
  demands: readonly AskedOf[],
  candidates: readonly ReadonlySet<string>[],
): boolean {
  const of = (place: number): ReadonlySet<string> => candidates[place] ?? new Set();
  if (demands.some(({ approvals }, place) => of(place).size < approvals)) return true;
  const largest = new Map<number, number>();
  for (const [place, { step, approvals }] of demands.entries()) {
    const before = largest.get(step);
    if (before === undefined || approvals > (demands[before]?.approvals ?? 0)) {
      largest.set(step, place);
    }
  }
  const steps = [...largest].toSorted(([one], [other]) => one - other);
  const chain = steps.filter(
    ([step], at) =>
      at === 0 ||
      demands.some((one) => one.step === step && one.distinctFrom.includes('earlier_approvers')),
  );
  if (chain.length < 2) return false;
  const places = chain.flatMap(([, place]) =>
    Array.from({ length: demands[place]?.approvals ?? 0 }, () => of(place)),
  );
  return !areMatched(places);
}
