import { type Dispatch, isNotified, phaseOf } from "../../dispatch/domain/dispatch.js";

/** The viewer of changes: the users of an account, or null for operators, who see all. */
export type Viewer = string | null;

/** Something that an open page has to fetch again. */
export type Change =
  | { readonly what: "dispatch"; readonly dispatchId: string }
  | { readonly what: "delivery"; readonly dispatchId: string }
  | { readonly what: "alarm" };

/** The members of a dispatch that show whether it changed. */
export type WatchedDispatch = Pick<
  Dispatch,
  "id" | "authorized" | "start" | "end" | "notification" | "modificationNumber" | "changedAt"
> & {
  /** The watching accounts among those of its sites. */
  readonly accountIds: readonly string[];
};

/** Progress of the evidence of a dispatch: for a watching account, or for all others together. */
export interface Progress {
  readonly dispatchId: string;
  readonly accountId: string | null;
  /** Differs whenever there is news. */
  readonly mark: string;
}

/** The state at one moment. */
export interface Snapshot {
  readonly at: Date;
  readonly dispatches: readonly WatchedDispatch[];
  /** null: not requested. */
  readonly progress: readonly Progress[] | null;
  /** Differs whenever alarms changed. */
  readonly alarms: string;
}

/** What may change for a viewer, by name, each with a mark that differs after a change. */
export type View = ReadonlyMap<string, Marked>;

interface Marked {
  readonly change: Change;
  readonly mark: string;
}

/** A viewer's part of a snapshot; progress is taken from the previous view if the snapshot has none. */
export const viewOf = (snapshot: Snapshot, viewer: Viewer, before: View | null): View => {
  const alarms: Marked[] = viewer === null ? [{ change: { what: "alarm" }, mark: snapshot.alarms }] : [];
  const seen = snapshot.dispatches.filter((dispatch) => isSeen(dispatch, viewer, snapshot.at));
  const all = [...alarms, ...seen.map((dispatch) => dispatchMark(dispatch, snapshot.at))];
  const progress =
    snapshot.progress === null
      ? [...(before?.values() ?? [])].filter(({ change }) => change.what === "delivery")
      : progressMarks(snapshot.progress, viewer);
  return new Map([...all, ...progress].map((marked) => [nameOf(marked.change), marked]));
};

/** Changes for a viewer: new or different entries. Removed entries ended long ago. */
export const changesBetween = (before: View, after: View): readonly Change[] =>
  [...after].filter(([name, { mark }]) => before.get(name)?.mark !== mark).map(([, { change }]) => change);

/** Key of a change: the same change is sent once even if it occurs twice. */
export const nameOf = (change: Change): string =>
  change.what === "alarm" ? "alarm" : `${change.what} ${change.dispatchId}`;

/** Before its notification time a dispatch does not exist for participants. */
const isSeen = (dispatch: WatchedDispatch, viewer: Viewer, now: Date): boolean =>
  viewer === null || (dispatch.accountIds.includes(viewer) && isNotified(dispatch, now));

const dispatchMark = (dispatch: WatchedDispatch, now: Date): Marked => ({
  change: { what: "dispatch", dispatchId: dispatch.id },
  mark: `${dispatch.modificationNumber} ${phaseOf(dispatch, now)}`,
});

/** For operators, the progress of all accounts of a dispatch is combined. */
const progressMarks = (progress: readonly Progress[], viewer: Viewer): Marked[] => {
  const marks = new Map<string, string>();
  for (const { dispatchId, accountId, mark } of progress) {
    if (viewer === null || viewer === accountId) marks.set(dispatchId, `${marks.get(dispatchId) ?? ""} ${mark}`);
  }
  return [...marks].map(([dispatchId, mark]) => ({ change: { what: "delivery", dispatchId }, mark }));
};
