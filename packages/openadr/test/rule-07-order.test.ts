import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Dispatch } from "../src/dispatch.js";
import { listEvents } from "../src/list-events.js";
import { prioritiesOf } from "../src/priority.js";
import { afterShowing } from "../src/ven-state.js";
import { aDispatch, aListing, at, listed } from "./support/examples.js";

const NOW = at("18:30:00");
const idsOf = (dispatches: readonly Dispatch[]): string[] =>
  listed(NOW, ...dispatches).map((event) => event.descriptor.eventId);
const active = (id: string, priority: number, start: string): Dispatch => aDispatch({ id, priority, start: at(start) });
const pending = (id: string, priority: number, start: string): Dispatch =>
  aDispatch({ id, priority, start: at(start), end: at("23:00:00") });
const completed = (id: string, priority: number): Dispatch => aDispatch({ id, priority, end: at("18:29:00") });

const created = (id: string, time: string, marketContext = "*"): Dispatch =>
  aDispatch({ id, createdAt: at(time), marketContext });

describe("rule 7: the order of events", () => {
  test("active ones by priority, then start; pending ones by start; completed ones last", () => {
    const inOrder = [
      active("a", 1, "18:10:00"),
      active("b", 2, "18:00:00"),
      active("c", 2, "18:10:00"),
      pending("d", 9, "18:35:00"),
      pending("e", 1, "20:00:00"),
      completed("f", 0),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(inOrder, { minLength: inOrder.length }), (shuffled) => {
        expect(idsOf(shuffled)).toEqual(["a", "b", "c", "d", "e", "f"]);
      }),
    );
  });

  test("events equal in all this are ordered by id, so that the order never changes", () => {
    const twins = ["x", "y", "z"].map((id) => active(id, 1, "18:00:00"));
    expect(idsOf(twins.toReversed())).toEqual(["x", "y", "z"]);
  });

  test("a cancelled one keeps its position", () => {
    const before = [active("a", 1, "18:00:00"), active("b", 2, "18:00:00"), pending("c", 3, "20:00:00")];
    const state = afterShowing(new Map(), listed(NOW, ...before), NOW);
    const after = before.map((each) => (each.id === "b" ? each : { ...each, cancelledAt: NOW, modificationNumber: 1 }));
    const events = listEvents({ ...aListing(NOW, ...after), state });
    expect(events.map(({ descriptor }) => [descriptor.eventId, descriptor.status])).toEqual([
      ["a", "cancelled"],
      ["b", "active"],
      ["c", "cancelled"],
    ]);
  });
});

describe("rule 7: priority", () => {
  test("counts from 1 by creation within a market context", () => {
    const dispatches = [
      created("third", "11:02:00"),
      created("first", "11:00:00"),
      created("other", "11:03:00", "http://example.com/program"),
      created("second", "11:01:00"),
    ];
    expect(Object.fromEntries(prioritiesOf(dispatches))).toEqual({ first: 1, second: 2, third: 3, other: 1 });
  });

  test("is the dispatch's own if it has one", () => {
    expect(listed(NOW, aDispatch({ priority: 7 }))[0]?.descriptor.priority).toBe(7);
  });

  test("counts dispatches that are not listed, too, so that it stays when they come or go", () => {
    const later = { ...created("later", "11:05:00"), end: at("20:00:00") };
    const notYet = { ...created("not yet", "11:00:00"), notification: at("18:31:00") };
    const over = { ...created("over", "10:00:00"), end: at("18:01:00") };
    expect(listed(NOW, later, notYet, over).map(({ descriptor }) => [descriptor.eventId, descriptor.priority])).toEqual(
      [["later", 3]],
    );
  });
});
