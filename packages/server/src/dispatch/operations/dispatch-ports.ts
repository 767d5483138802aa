import type { Actor } from "../../access/domain/account.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Dispatch, DispatchPhase } from "../domain/dispatch.js";
import type { Notice } from "../domain/notice.js";
import type { Overlap } from "../domain/overlap.js";

export interface DispatchRevision {
  readonly modificationNumber: number;
  readonly at: Date;
  readonly actor: string;
  readonly start: Date;
  readonly end: Date | null;
  readonly authorized: boolean;
}

/** Which dispatches a list holds; null: all. */
export interface DispatchFilter {
  /** Where they stand at `now`. */
  readonly phase: DispatchPhase | null;
  readonly now: Date;
  readonly programId: string | null;
  /** false: without their sites, of which there may be many. */
  readonly withSites: boolean;
}

export interface ListedDispatch {
  readonly dispatch: Dispatch;
  readonly siteCount: number;
  readonly commitmentKw: number;
}

/** Where other dispatches of sites are looked for. */
export interface OverlapSearch {
  readonly from: Date;
  readonly to: Date;
  /** The dispatch that they are others of. */
  readonly exceptId: string | null;
}

export interface DispatchStore {
  insert(dispatch: Dispatch, actor: Actor): Promise<void>;
  lock(id: string): Promise<Dispatch | null>;
  /** Writes a change and its revision. */
  saveChange(dispatch: Dispatch, actor: Actor): Promise<void>;
  find(id: string): Promise<Dispatch | null>;
  /** Ids of an account's own tests that are neither over nor cancelled, oldest first. */
  unfinishedTests(accountId: string, now: Date): Promise<readonly string[]>;
  /**
   * Dispatches of any of the sites that are not cancelled and share time with the search, if an open end never comes.
   */
  meeting(siteIds: readonly string[], search: OverlapSearch): Promise<readonly Overlap[]>;
  /** Past and cancelled dispatches of which an account was notified; with its own sites only. */
  pastOf(accountId: string, now: Date, page: PageRequest): Promise<Page<Dispatch>>;
  list(filter: DispatchFilter, page: PageRequest): Promise<Page<ListedDispatch>>;
  revisions(id: string): Promise<readonly DispatchRevision[]>;
}

export interface AddedNotice {
  /** Whether a called account has VENs: whom they were then is to be recorded with the notice. */
  readonly hasVens: boolean;
}

/** The outbox: a notice is written in the transaction of the change that it tells of. */
export interface NoticeStore {
  add(notice: Notice): Promise<AddedNotice>;
  /** Takes back what is not due yet: the dispatch never comes to be for participants. */
  drop(dispatchId: string): Promise<void>;
}

/** Keeps which VENs notices went out to, as they were then. */
export interface VenNoticeStore {
  /** Records notices that are due and were not recorded yet; true where there may be more. */
  record(now: Date): Promise<boolean>;
  /** The same where hardly ever one is due: it asks whether there is one first. */
  look(now: Date): Promise<boolean>;
}

/** Baselines that change with a dispatch. */
export interface DispatchedBaselines {
  /** Notes later dispatches of a dispatch's sites: its day is none of theirs to leave out any more. */
  baselinesChange(dispatchId: string, now: Date): Promise<void>;
}
