import fc from "fast-check";
import { expect, test } from "vitest";
import {
  missingEvents,
  newEvents,
  noticeOfMissing,
  type SeenEvents,
  withEvent,
  withoutEvent,
} from "../src/participant/listen-events.js";
import { withResent } from "../src/participant/listen-resends.js";
import type { VtnEvent } from "../src/participant/vtn.js";

const at = (second: number): string => new Date(Date.parse("2026-07-01T18:00:00Z") + second * 1000).toISOString();

/** What happens at a VTN between two looks. */
const happening = fc.record({
  id: fc.integer({ min: 0, max: 5 }),
  what: fc.constantFrom("change", "delete", "look"),
});

/** The operations that a program is told of an event, and what it then has of it. */
interface Told {
  readonly operations: readonly string[];
  readonly has: string | null;
}

test("through any history, a program has what the VTN has, from a CREATE over UPDATEs to a DELETE", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (history) => {
      const vtn = new Map<number, VtnEvent>();
      const told = new Map<string, Told>();
      let seen: SeenEvents = {};
      const tell = (operation: string, event: VtnEvent): void => {
        const { operations } = told.get(event.id) ?? { operations: [] };
        const has = operation === "DELETE" ? null : event.modificationDateTime;
        told.set(event.id, { operations: [...operations, operation], has });
      };
      const look = (): void => {
        const events = [...vtn.values()];
        for (const { operation, event } of newEvents(events, seen)) {
          tell(operation, event);
          seen = withEvent(seen, event);
        }
        for (const missing of missingEvents(events, seen)) {
          const notice = noticeOfMissing(missing, null);
          if (notice !== null) tell(notice.operation, notice.event);
          seen = withoutEvent(seen, missing.id);
        }
      };
      for (const [second, { id, what }] of [...history, { id: 0, what: "look" }].entries()) {
        const before = vtn.get(id);
        if (what === "look") look();
        else if (what === "delete") vtn.delete(id);
        else
          vtn.set(id, {
            id: before?.id ?? `event ${id} of ${second}`,
            createdDateTime: before?.createdDateTime ?? at(second),
            modificationDateTime: at(second),
          });
      }
      const now = new Map([...vtn.values()].map((event) => [event.id, event.modificationDateTime]));
      for (const [id, { operations, has }] of told) {
        expect(operations.join(" ")).toMatch(/^CREATE( UPDATE)*( DELETE)?$/);
        expect(has).toBe(now.get(id) ?? null);
      }
      for (const id of now.keys()) expect(told.has(id)).toBe(true);
    }),
  );
});

const event: VtnEvent = { id: "e1", createdDateTime: at(0), modificationDateTime: at(0) };

test("an event that is not listed is deleted if the VTN says so, updated if it ended early, and else over", () => {
  expect(noticeOfMissing(event, null)).toEqual({ operation: "DELETE", event });
  const early = { ...event, modificationDateTime: at(5) };
  expect(noticeOfMissing(event, early)).toEqual({ operation: "UPDATE", event: early });
  expect(noticeOfMissing(event, event)).toBeNull();
});

test("two changes within the resolution of the VTN's clock are both told", () => {
  const once = { ...event, eventName: "first" };
  const twice = { ...event, eventName: "second" };
  expect(newEvents([twice], { e1: once })).toEqual([{ operation: "UPDATE", event: twice }]);
  expect(noticeOfMissing(once, twice)).toEqual({ operation: "UPDATE", event: twice });
  const sameInOtherOrder = Object.fromEntries(Object.entries(once).toReversed()) as unknown as VtnEvent;
  expect(newEvents([sameInOtherOrder], { e1: once })).toEqual([]);
});

const changedAt = (id: string, second: number): VtnEvent => ({
  id,
  createdDateTime: at(0),
  modificationDateTime: at(second),
});

test("what is new comes in the order in which it was changed", () => {
  const news = newEvents([changedAt("a", 9), changedAt("b", 3), changedAt("c", 6)], {
    a: changedAt("a", 1),
    c: changedAt("c", 6),
  });
  expect(news.map((each) => `${each.operation} ${each.event.id}`)).toEqual(["CREATE b", "UPDATE a"]);
});

test("resends are remembered for longer than they are listed, and no longer", () => {
  const hour = 3600;
  const known = withResent({}, [
    { id: "old", at: at(0) },
    { id: "new", at: at(24 * hour) },
  ]);
  expect(Object.keys(known)).toEqual(["old", "new"]);
  expect(Object.keys(withResent(known, [{ id: "newer", at: at(26 * hour) }]))).toEqual(["new", "newer"]);
  expect(withResent({}, [])).toEqual({});
});
