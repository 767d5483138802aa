import type { SubscriptionRequest } from "../contract/subscription.js";
import type { ObjectType } from "../contract/values.js";
import { isVisible, matchedTargets, shownTargets, type VenGrants } from "../rules/targets.js";

/** What happened to an object, as far as it decides who is notified. */
export interface ChangedObject {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly objectType: ObjectType;
  readonly objectId: string;
  /** The owner of a report, subscription, ven or resource. */
  readonly clientId: string | null;
  /** Of an event, or of the event of a report; of a subscription, if it has one. */
  readonly programId: string | null;
  /** The ven of a resource; the only ven that an event is for. */
  readonly venId: string | null;
  /** Its targets; those of its program for an event without any. */
  readonly targets: readonly string[];
  /**
   * Of a deletion for VENs that no longer see the object: a VEN that sees one of these still has it. Absent or null: it goes to
   * everybody who may see it.
   */
  readonly keptTargets?: readonly string[] | null;
}

/** A client that may be notified. */
export interface Recipient {
  readonly clientId: string;
  /** null: business logic, which sees everything. */
  readonly grants: VenGrants | null;
}

/**
 * Whether a client may see the object. What is for one ven only is visible to that one, even if the resource that it
 * names was just taken from it: otherwise the VEN would not learn that its event is gone.
 */
export const maySee = (change: ChangedObject, { clientId, grants }: Recipient): boolean => {
  const kept = change.keptTargets ?? null;
  if (grants === null) return kept === null;
  if (kept !== null && isVisible({ targets: kept, venId: change.venId }, grants)) return false;
  if (!isTargeted(change)) return change.clientId === clientId;
  if (change.venId !== null) return change.venId === grants.venId;
  return isVisible(change, grants);
};

/** The object types whose targets decide who sees them. */
const isTargeted = ({ objectType }: ChangedObject): boolean => objectType === "PROGRAM" || objectType === "EVENT";

/** What a subscription is notified of. */
export interface Notified {
  /** Indexes of `objectOperations`; each address once. */
  readonly entries: readonly number[];
  /** The targets that the object is sent with; null: all of its own. */
  readonly targets: readonly string[] | null;
}

type Filter = Pick<SubscriptionRequest, "programID" | "objectOperations" | "targets">;

/**
 * Which entries of a subscription a change reaches; null: none.
 *
 * The program of a subscription filters what belongs to a program; programs themselves, vens and resources have none.
 * Its targets filter as those of a search do, and what has no targets is for everybody.
 */
export const notifiedBy = (change: ChangedObject, recipient: Recipient, filter: Filter): Notified | null => {
  if (!maySee(change, recipient) || !isOfProgram(change, filter) || !isWanted(change, recipient, filter)) return null;
  const entries = entriesOf(change, filter);
  if (entries.length === 0) return null;
  return { entries, targets: toldTargets(change, recipient, filter.targets) };
};

/** The targets that an object is sent with to a client that may see it; null: all of its own. */
export const toldTargets = (
  change: ChangedObject,
  { grants }: Recipient,
  asked: readonly string[] | undefined,
): readonly string[] | null => {
  if (grants === null || !isTargeted(change)) return null;
  const matched = change.venId === null ? (matchedTargets(grants, asked) ?? []) : change.targets;
  return shownTargets(change.targets, matched);
};

/** Types that belong to a program, or may. */
const OF_PROGRAMS: readonly ObjectType[] = ["EVENT", "REPORT", "SUBSCRIPTION"];

const isOfProgram = ({ objectType, programId }: ChangedObject, { programID }: Filter): boolean =>
  programID === undefined || !OF_PROGRAMS.includes(objectType) || programId === programID;

const isWanted = (change: ChangedObject, { grants }: Recipient, { targets: asked }: Filter): boolean => {
  if (asked === undefined || change.targets.length === 0) return true;
  const matched = isTargeted(change) ? matchedTargets(grants, asked) : asked;
  return matched === null || change.targets.some((target) => matched.includes(target));
};

const entriesOf = ({ objectType, operation }: ChangedObject, { objectOperations }: Filter): number[] => {
  const addresses = new Set<string>();
  return objectOperations.flatMap(({ objects, operations, callbackUrl }, index) => {
    if (!objects.includes(objectType) || !operations.includes(operation) || addresses.has(callbackUrl)) return [];
    addresses.add(callbackUrl);
    return [index];
  });
};
