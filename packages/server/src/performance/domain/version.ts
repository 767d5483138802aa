import type { Actor } from "../../access/domain/account.js";
import type { RulesVersion } from "../../portfolio/domain/rules.js";

/** Participants do not see which person of the operator did something. */
export type ResultReader = "operator" | "participant";

/**
 * A final result of a dispatch: it was complete, or overdue, or readings were corrected later, or other dispatches
 * changed the days with events (M6), or an operator excluded days from baselines, adopted newer rules, decided about a site or
 * approved it (M15), or it was withdrawn because the dispatch was voided.
 */
export interface FinalVersion {
  readonly version: number;
  readonly at: Date;
  readonly reason:
    | "complete"
    | "overdue"
    | "corrected"
    | "event_days"
    | "excluded_days"
    | "rules"
    | "decided"
    | "approved"
    | "withdrawn";
  /** Who made it by hand; null if the service did. */
  readonly actor: Actor | null;
  readonly note: string | null;
  /** Whether it came after the program's cut-off for corrections. */
  readonly isLate: boolean;
  /** The rules that it was made by. */
  readonly rulesVersion: RulesVersion;
}

declare module "../../platform/journal.js" {
  interface JournalKinds {
    /** About a dispatch and the number of its version. */
    result: "result.version";
  }
}

/** A version that the service makes itself, in time. */
export const OWN_VERSION = { actor: null, note: null, isLate: false } as const;

/**
 * The version that applies (M15): the approved one, or the newest before the cut-off for corrections, or the newest. null
 * without any.
 */
export const standingVersion = (versions: readonly FinalVersion[]): FinalVersion | null => {
  const newest = versions.at(-1) ?? null;
  if (newest === null || newest.reason === "withdrawn") return newest;
  const approved = versions.findLast(({ reason }) => reason === "approved");
  return approved ?? versions.findLast(({ isLate }) => !isLate) ?? versions[0] ?? null;
};

/** Whether nothing changes the result any more: it was approved, or the time for corrections is over. */
export const isSettled = (versions: readonly FinalVersion[]): boolean => {
  const standing = standingVersion(versions);
  return standing !== null && (standing.reason === "approved" || standing !== versions.at(-1));
};

/** What became of a version. `beside`: it is later than the one that applies, and changes nothing. */
type Standing = "standing" | "superseded" | "beside";

export const standingOf = ({ version }: FinalVersion, versions: readonly FinalVersion[]): Standing =>
  placeOf(version, standingVersion(versions)?.version ?? version);

/** The same if the number of the version that applies is known. */
export const placeOf = (version: number, standing: number): Standing => {
  if (version === standing) return "standing";
  return version < standing ? "superseded" : "beside";
};
