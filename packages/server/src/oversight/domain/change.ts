import { type Dispatch, isNotified, phaseOf } from "../../dispatch/domain/dispatch.js";
import { earliest } from "../../platform/earliest.js";
import type { JournalKind } from "../../platform/journal.js";

/** The viewer of changes: the users of an account, or null for operators, who see all. */
export type ChangeViewer = string | null;

/** Something that an open page has to fetch again. */
export type Change =
  | { readonly what: "dispatch"; readonly dispatchId: string }
  | { readonly what: "delivery"; readonly dispatchId: string }
  | { readonly what: "alarm" };

/** What entries of the journal change on open pages. Those of dispatches and deliveries are about a dispatch. */
const changedBy = {
  dispatch: ["dispatch.create", "dispatch.change", "dispatch.cancel", "dispatch.void"],
  delivery: ["progress", "dispatch.notified", "ven.shown", "ven.answered", "phone_call.record"],
  alarm: [
    "alarm.raise",
    "alarm.clear",
    "alarm.acknowledge",
    "alarm.note",
    "alarm_group.acknowledge",
    "alarm_group.unacknowledge",
    "alarm_group.assign",
    "alarm_group.shelve",
    "alarm_group.unshelve",
    "demo.remove",
  ],
} as const satisfies Record<Change["what"], readonly JournalKind[]>;

const whatOf = new Map<string, Change["what"]>(
  Object.entries(changedBy).flatMap(([what, kinds]) => kinds.map((kind) => [kind, what as Change["what"]])),
);

/** What an entry of this kind changes; undefined: nothing. */
export const changeOf = (kind: string): Change["what"] | undefined => whatOf.get(kind);

/** The members of a dispatch that show whether it changed. */
export type WatchedDispatch = Pick<
  Dispatch,
  "id" | "authorized" | "start" | "end" | "notification" | "modificationNumber" | "changedAt"
> & {
  /** The watching accounts among those of its sites. */
  readonly accountIds: readonly string[];
};

/** The dispatches that a viewer sees, by id, each with a mark that differs after a change. */
export type View = ReadonlyMap<string, string>;

export const viewOf = (dispatches: readonly WatchedDispatch[], viewer: ChangeViewer, now: Date): View =>
  new Map(
    dispatches
      .filter((dispatch) => isSeen(dispatch, viewer, now))
      .map((dispatch) => [dispatch.id, `${dispatch.modificationNumber} ${phaseOf(dispatch, now)}`]),
  );

/** Dispatches that are new to a viewer or different. Those that are gone ended long ago. */
export const changesBetween = (before: View, after: View): readonly Change[] =>
  [...after]
    .filter(([id, mark]) => before.get(id) !== mark)
    .map(([dispatchId]) => ({ what: "dispatch" as const, dispatchId }));

/** When views of these dispatches change next by themselves; null: never. */
export const nextViewChange = (dispatches: readonly WatchedDispatch[], now: Date): Date | null =>
  earliest(
    dispatches
      .flatMap(({ notification, start, end }) => [notification, start, ...(end === null ? [] : [justAfter(end)])])
      .map((at) => (at > now ? at : null)),
  );

/** At its end a dispatch still counts. */
const justAfter = (end: Date): Date => new Date(end.getTime() + 1);

/** Key of a change: the same change is sent once even if it occurs twice. */
export const nameOf = (change: Change): string =>
  change.what === "alarm" ? "alarm" : `${change.what} ${change.dispatchId}`;

/** Before its notification time a dispatch does not exist for participants. */
const isSeen = (dispatch: WatchedDispatch, viewer: ChangeViewer, now: Date): boolean =>
  viewer === null || (dispatch.accountIds.includes(viewer) && isNotified(dispatch, now));
