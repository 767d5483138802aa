/** What a VEN may see of programs and events. */
export interface VenGrants {
  /** Its ven object; null: none yet, so nothing is granted. */
  readonly venId: string | null;
  /** Targets of its ven and of the resources of that ven. */
  readonly targets: readonly string[];
}

/**
 * The targets that a search matches objects with; null: objects with any targets, or none.
 *
 * A VEN's are those that it was granted, of those it asks for; a VEN that asks for none asks for all (User Guide, 8.13).
 */
export const matchedTargets = (
  grants: VenGrants | null,
  asked: readonly string[] | undefined,
): readonly string[] | null => {
  if (grants === null) return asked ?? null;
  return asked === undefined ? grants.targets : grants.targets.filter((target) => asked.includes(target));
};

/** A program or event, as its targets restrict who sees it. */
export interface Targeted {
  /** Its own; those of its program for an event without any. */
  readonly targets: readonly string[];
  /** The only ven that it is for; null: its targets decide. */
  readonly venId: string | null;
}

/** Whether a VEN sees a program or event, whatever it asks for. */
export const isVisible = ({ targets, venId }: Targeted, grants: VenGrants): boolean =>
  (venId === null || venId === grants.venId) &&
  (targets.length === 0 || targets.some((target) => grants.targets.includes(target)));

/** The targets of an object that a VEN sees: it does not learn those of others. */
export const shownTargets = (targets: readonly string[], matched: readonly string[]): readonly string[] =>
  targets.filter((target) => matched.includes(target));
