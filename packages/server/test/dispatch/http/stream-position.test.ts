import { expect, test } from "vitest";
import type { Dispatch } from "../../../src/dispatch/domain/dispatch.js";
import { eventIdOf, newsAfter, type Position, positionFrom } from "../../../src/dispatch/http/stream-position.js";
import { dispatchWith } from "../../support/domain-forms.js";

const at = (minute: number): Date => new Date(Date.UTC(2026, 5, 1, 12, minute));

const dispatch = (id: string, modificationNumber: number, minute: number): Dispatch =>
  dispatchWith({ id, modificationNumber, createdAt: at(0), changedAt: at(minute), start: at(60), end: null });

/** All that a reader is sent from a position on: ids with modification, null for the whole list. */
const sentFrom = (position: Position | null, list: readonly Dispatch[]): Array<string | null> => {
  const news = newsAfter(position, list);
  if (news === null) return [];
  const { dispatch: one } = news;
  return [one === null ? null : `${one.id}.${one.modificationNumber}`, ...sentFrom(news.position, list)];
};

const positionAt = (list: readonly Dispatch[]): Position => newsAfter(null, list)?.position ?? new Map();

test("a reader without a position is sent the list once, also an empty one", () => {
  expect(sentFrom(null, [dispatch("a", 0, 1)])).toEqual([null]);
  expect(sentFrom(null, [])).toEqual([null]);
});

test("what changed is sent in the order of the changes, each dispatch once", () => {
  const seen = positionAt([dispatch("a", 0, 1), dispatch("b", 3, 2)]);
  const list = [dispatch("c", 0, 9), dispatch("b", 5, 7), dispatch("a", 0, 1), dispatch("d", 1, 8)];
  expect(sentFrom(seen, list)).toEqual(["b.5", "d.1", "c.0"]);
});

test("a modification that is lower than the known one is sent too", () => {
  expect(sentFrom(positionAt([dispatch("a", 4, 1)]), [dispatch("a", 3, 1)])).toEqual(["a.3"]);
});

test("what left the list makes the whole list be sent", () => {
  const seen = positionAt([dispatch("a", 0, 1), dispatch("b", 0, 1)]);
  expect(sentFrom(seen, [dispatch("b", 1, 2)])).toEqual([null]);
});

test("an event's id carries the position, of up to 200 dispatches in 2 KB", () => {
  const list = Array.from({ length: 201 }, (_, index) => dispatch(`dis_${index}`, index * 1000, 1));
  const position = positionAt(list.slice(0, 200));
  const id = eventIdOf(position);
  expect(id.length).toBeLessThan(3000);
  expect(positionFrom(id)).toEqual(position);
  expect(eventIdOf(positionAt(list))).toBe("");
  expect(positionFrom("")).toBeNull();
  expect(positionFrom(eventIdOf(new Map()))).toEqual(new Map());
});
