import type { LoggedRequests } from "@curtail/client";
import { describe, expect, test } from "vitest";
import { newIn, nothingPrinted, readAgainFrom, type Tail } from "../src/participant/request-tail.js";

const MINUTE = "2026-07-01T18:00:00Z";

const entry = (id: string, change: Partial<LoggedRequests> = {}): LoggedRequests => ({
  id,
  at: MINUTE,
  key_id: "key_1",
  method: "GET",
  path: "/2022-04-15/sites",
  status: 200,
  duration_ms: 2,
  max_duration_ms: 4,
  error: null,
  explanation: null,
  count: 1,
  ...change,
});

/** What is printed of one list after the other. */
const printedOf = (...lists: ReadonlyArray<readonly LoggedRequests[]>): Array<readonly LoggedRequests[]> => {
  let tail: Tail = nothingPrinted;
  return lists.map((list) => {
    const { lines, tail: next } = newIn(list, tail);
    tail = next;
    return lines;
  });
};

describe("following the request log", () => {
  test("prints the oldest first, and each entry once", () => {
    const [older, newer] = [entry("a"), entry("b", { at: "2026-07-01T18:00:05Z" })];
    expect(printedOf([newer, older], [newer, older])).toEqual([[older, newer], []]);
  });

  test("prints of an entry that grew only what came, with the mean of that", () => {
    const [, grown, same] = printedOf(
      [entry("a", { count: 2, duration_ms: 3 })],
      [entry("a", { count: 5, duration_ms: 6 })],
      [entry("a", { count: 5, duration_ms: 6 })],
    );
    expect(grown).toEqual([entry("a", { count: 3, duration_ms: 8 })]);
    expect(same).toEqual([]);
  });

  test("prints an entry that was written late, though newer ones were printed", () => {
    const newer = entry("b", { at: "2026-07-01T18:00:50Z" });
    const late = entry("a", { at: "2026-07-01T18:00:49Z" });
    expect(printedOf([newer], [newer, late])).toEqual([[newer], [late]]);
  });

  test("reads again two minutes, by the service's clock, however long it was away", () => {
    const { tail } = newIn([entry("a")], nothingPrinted);
    expect(readAgainFrom(nothingPrinted)).toBeNull();
    expect(readAgainFrom(tail)).toBe("2026-07-01T17:58:00.000Z");
    expect(readAgainFrom(newIn([], tail).tail)).toBe("2026-07-01T17:58:00.000Z");
  });

  test("remembers only what it may read again", () => {
    const hour = Array.from({ length: 60 }, (_, minute) =>
      entry(String(minute), { at: new Date(Date.parse(MINUTE) + minute * 60_000).toISOString() }),
    ).toReversed();
    const { tail } = newIn(hour, nothingPrinted);
    expect(tail.printed.size).toBe(4);
    expect(newIn(hour.slice(0, 3), tail).lines).toEqual([]);
  });
});
