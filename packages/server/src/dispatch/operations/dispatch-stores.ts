import type { Actor } from "../../access/domain/account.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Dispatch, DispatchPhase, DispatchRevision } from "../domain/dispatch.js";
import type { Notice } from "../domain/notice.js";
import type { Overlap } from "../domain/overlap.js";

/** Stores of dispatches and their notices. */
export interface DispatchStores {
  readonly dispatches: DispatchStore;
  readonly notices: NoticeStore;
  readonly venNotices: VenNoticeStore;
  readonly late: DispatchedBaselines;
}

/** Filter of a list; null: no restriction. */
interface DispatchFilter {
  /** The phase at `now`. */
  readonly phase: DispatchPhase | null;
  readonly now: Date;
  readonly programId: string | null;
  readonly siteId: string | null;
  /** Those that end after it. */
  readonly after: Date | null;
  /** Those that start before it. */
  readonly before: Date | null;
  /** false leaves out their sites, of which there may be many. */
  readonly withSites: boolean;
}

export interface ListedDispatch {
  readonly dispatch: Dispatch;
  readonly siteCount: number;
  readonly commitmentKw: number;
}

/** Where to look for other dispatches of sites. */
interface OverlapSearch {
  readonly from: Date;
  readonly to: Date;
  /** The dispatch that overlaps are searched for. */
  readonly exceptId: string | null;
}

/** Which past dispatches are listed; null: no restriction. */
export interface PastDispatchFilter {
  readonly now: Date;
  /** They start at or after this, and before that. */
  readonly from: Date | null;
  readonly to: Date | null;
  readonly programId: string | null;
  readonly siteId: string | null;
  /** Whether tests are listed. */
  readonly tests: boolean;
}

/** Who issued a dispatch. */
export interface Issuer {
  readonly actor: Actor;
  /** Whether it is a participant's own test (G15). */
  readonly isSelfMade: boolean;
}

export interface DispatchStore {
  insert(dispatch: Dispatch, issuer: Issuer): Promise<void>;
  lock(id: string): Promise<Dispatch | null>;
  /** Writes a change and its revision. */
  saveChange(dispatch: Dispatch, actor: Actor): Promise<void>;
  find(id: string): Promise<Dispatch | null>;
  /** Ids of an account's own tests that are neither over nor cancelled, oldest first. */
  unfinishedTests(accountId: string, now: Date): Promise<readonly string[]>;
  /**
   * Dispatches of any of the sites that are not cancelled and overlap the search period, treating open ends as endless.
   */
  meeting(siteIds: readonly string[], search: OverlapSearch): Promise<readonly Overlap[]>;
  /** Past and cancelled dispatches that an account was notified of, with its own sites only. */
  pastOf(accountId: string, filter: PastDispatchFilter, page: PageRequest): Promise<Page<Dispatch>>;
  list(filter: DispatchFilter, page: PageRequest): Promise<Page<ListedDispatch>>;
  revisions(id: string): Promise<readonly DispatchRevision[]>;
}

interface AddedNotice {
  /** Whether a dispatched account has VENs: they are then recorded with the notice. */
  readonly hasVens: boolean;
}

/** The outbox: a notice is written in the transaction of the change that it announces. */
export interface NoticeStore {
  add(notice: Notice): Promise<AddedNotice>;
  /** Removes notices that are not due yet: the dispatch never comes to exist for participants. */
  drop(dispatchId: string): Promise<void>;
}

/** Records which VENs each notice was for at the time. */
export interface VenNoticeStore {
  /** Records notices that are due and not recorded yet; true if there may be more. */
  record(now: Date): Promise<boolean>;
}

/** Baselines affected by changes of a dispatch. */
export interface DispatchedBaselines {
  /**
   * Marks later dispatches of a dispatch's sites, those that start after `from`: the days with events in their look-back
   * change (M6).
   */
  eventDaysChange(change: { readonly dispatchId: string; readonly from: Date }, now: Date): Promise<void>;
}
