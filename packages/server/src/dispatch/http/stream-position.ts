import { createHash } from "node:crypto";
import type { Dispatch } from "../domain/dispatch.js";

/** What a reader of a stream has: the modification of each listed dispatch, by the mark of its id. */
export type Position = ReadonlyMap<string, number>;

/** What a reader is sent next, and what it then has. */
export interface News {
  /** null: the whole list. */
  readonly dispatch: Dispatch | null;
  readonly position: Position;
}

/** A header of 2 KB: proxies and Node accept 8 KB in all. */
const MOST_MARKS = 200;
const FORMAT = "1";
/** 48 bits, in base64url. */
const MARK_CHARACTERS = 8;

const markOf = (dispatchId: string): string =>
  createHash("sha256").update(dispatchId).digest("base64url").slice(0, MARK_CHARACTERS);

/**
 * The next event for a reader at a position, null if it has everything: the whole list if it has none or something left
 * it, else the dispatch that changed first.
 */
export const newsAfter = (position: Position | null, dispatches: readonly Dispatch[]): News | null => {
  const marks = new Map(dispatches.map((dispatch) => [markOf(dispatch.id), dispatch]));
  if (position === null || [...position.keys()].some((mark) => !marks.has(mark))) {
    return { dispatch: null, position: new Map([...marks].map(([mark, each]) => [mark, each.modificationNumber])) };
  }
  // Also a lower number, as after a restored backup.
  const changed = [...marks].filter(([mark, each]) => position.get(mark) !== each.modificationNumber);
  const [next] = changed.toSorted(([, a], [, b]) => a.changedAt.getTime() - b.changedAt.getTime());
  if (next === undefined) return null;
  const [mark, dispatch] = next;
  return { dispatch, position: new Map([...position, [mark, dispatch.modificationNumber]]) };
};

/** The id of an event; "" if the list is too long to resume. */
export const eventIdOf = (position: Position): string =>
  position.size > MOST_MARKS
    ? ""
    : [FORMAT, ...[...position].map(([mark, number]) => `${mark}${number.toString(36)}`)].join(".");

const EVENT_ID = new RegExp(`^${FORMAT}(?:\\.[\\w-]{${MARK_CHARACTERS}}[0-9a-z]{1,6}){0,${MOST_MARKS}}$`, "u");

/** The position in a Last-Event-ID; null if it is none of ours. */
export const positionFrom = (lastEventId: string | readonly string[] | undefined): Position | null => {
  if (typeof lastEventId !== "string" || !EVENT_ID.test(lastEventId)) return null;
  const parts = lastEventId.split(".").slice(1);
  return new Map(
    parts.map((part) => [part.slice(0, MARK_CHARACTERS), Number.parseInt(part.slice(MARK_CHARACTERS), 36)]),
  );
};
