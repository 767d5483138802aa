import type { Actor } from "../../access/domain/account.js";
import type { DispatchedBaselines } from "../../dispatch/operations/dispatch-stores.js";
import type { FinalVersion } from "../domain/version.js";

/** A period of late readings of a site, by the site's number. */
export interface LateSpan {
  readonly site: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Which late readings of a site may concern a dispatch, in memory. */
export interface LateWindows {
  /** Those of the spans that may concern a dispatch; none that was committed so long before this call is missed. */
  concerned(spans: readonly LateSpan[], mostAgeMs: number): Promise<readonly LateSpan[]>;
}

/** Late readings, other days with events than before, or what an operator did by hand. */
export type LateReason = Extract<
  FinalVersion["reason"],
  "corrected" | "event_days" | "excluded_days" | "rules" | "decided"
>;

/** A note that a site's results may change. */
export interface LateNote {
  /** Another one once the note says more. */
  readonly seq: number;
  readonly site: number;
  readonly reason: LateReason;
  /** The only dispatch that it concerns; null: those of its period. */
  readonly dispatchId: string | null;
  readonly fromMs: number;
  readonly notedMs: number;
}

/** What a process follows: sites by number, and dispatches. */
interface Followed {
  readonly sites: readonly number[];
  readonly dispatchIds: readonly string[];
}

/** What an operator did by hand, and what versions say about it. */
interface ByHand {
  readonly actor: Actor;
  readonly note: string;
}

/** A day that was excluded or counts again. */
export interface ExcludedDayChange extends ByHand {
  readonly siteId: string;
  readonly date: string;
}

/** A decision about a site of a dispatch. */
export interface SiteDecided extends ByHand {
  readonly dispatchId: string;
  readonly siteId: string;
}

/** Newer rules for local months: from one on, before another. */
export interface AdoptedRules extends ByHand {
  readonly fromMonth: string;
  readonly untilMonth: string;
}

/**
 * Notes of what changed for sites, one for a site and a reason until the dispatches that it concerns are found. Those of late
 * readings are written before the readings are, and settled once those are stored; all others are settled at once.
 */
export interface LateNoteStore extends DispatchedBaselines {
  /** Notes readings that are about to be stored, without looking for what they concern; returns the ids to settle. */
  note(spans: readonly LateSpan[], now: Date): Promise<readonly number[]>;
  /** Notes readings that are stored, in place of the notes from before. */
  settle(notes: readonly number[], spans: readonly LateSpan[], now: Date): Promise<void>;
  excludedDayChange(change: ExcludedDayChange, now: Date): Promise<void>;
  siteDecided(decided: SiteDecided, now: Date): Promise<void>;
  rulesAdopted(adopted: AdoptedRules, now: Date): Promise<void>;
  /** Notes of sites, and of single dispatches, that were settled since. */
  settledSince(followed: Followed, since: Date): Promise<readonly LateNote[]>;
}

/** A site of a dispatch to be measured again. */
export interface SiteCorrection {
  /** Another one once there is more to correct. */
  readonly seq: number;
  readonly dispatchId: string;
  readonly siteId: string;
  readonly reason: LateReason;
  /** Who did something by hand, and why; null for other reasons. */
  readonly actor: Actor | null;
  readonly note: string | null;
  readonly firstNotedAt: Date;
  readonly notedAt: Date;
}

/** Sites to be measured again, from the notes that concern their dispatches. */
export interface CorrectionStore {
  /** Queues the dispatches of notes that are due; returns whether there were such notes. */
  find(now: Date): Promise<boolean>;
  /** All corrections of those dispatches of which one is due; not all dispatches at once. */
  due(now: Date): Promise<readonly SiteCorrection[]>;
  postpone(corrections: readonly number[], until: Date): Promise<void>;
  /** Removes corrections, except those to which something was added since. */
  done(corrections: readonly number[]): Promise<void>;
  /** Deletes notes whose dispatches were found before then. */
  forget(foundBefore: Date): Promise<void>;
}
