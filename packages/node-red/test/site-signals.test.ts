import { curtailmentWindows, type Dispatch } from "@curtail/client";
import { expect, test } from "vitest";
import { type Followed, siteSignals } from "../src/site-signals.js";
import { at, dispatch } from "./support.js";

/** What is told at these moments, one after the other, as `+40` for a start and `-` for an end. */
const told = (dispatches: readonly Dispatch[], times: readonly string[]): string[] => {
  let followed: Followed = {};
  return times.map((time) => {
    const { signals, ...next } = siteSignals(curtailmentWindows(dispatches), followed, at(time));
    ({ followed } = next);
    return signals.map(({ isStart, window }) => (isStart ? `+${window.commitment}` : "-")).join(" ");
  });
};

test("a window starts at its start and ends at its end, each told once", () => {
  expect(told([dispatch("1")], ["17:59:59", "18:00:00", "19:00:00", "19:59:59", "20:00:00", "20:00:01"])).toEqual([
    "",
    "+40",
    "",
    "",
    "-",
    "",
  ]);
});

test("an overlap is told as another amount, without an end in between", () => {
  const second = dispatch("2", { start_time: "2026-07-01T19:00:00Z", end_time: "2026-07-01T21:00:00Z" });
  expect(told([dispatch("1"), second], ["18:00:00", "19:00:00", "20:00:00", "21:00:00"])).toEqual([
    "+40",
    "+80",
    "+40",
    "-",
  ]);
});

test("a window that passed between two looks is not told", () => {
  expect(told([dispatch("1")], ["17:00:00", "21:00:00"])).toEqual(["", ""]);
});

test("a cancellation ends the window at once, and an extension is not told again", () => {
  const [asked] = [siteSignals(curtailmentWindows([dispatch("1")]), {}, at("18:30:00")).followed];
  const longer = dispatch("1", { end_time: null });
  expect(siteSignals(curtailmentWindows([longer]), asked, at("19:00:00")).signals).toEqual([]);
  const cancelled = dispatch("1", { authorized: false });
  expect(siteSignals(curtailmentWindows([cancelled]), asked, at("19:00:00")).signals).toMatchObject([
    { isStart: false },
  ]);
});

const nextAt = (each: Dispatch, time: string): number => siteSignals(curtailmentWindows([each]), {}, at(time)).nextAtMs;

test("the next moment is the next start or end; with an open end there is none", () => {
  expect(nextAt(dispatch("1"), "17:00:00")).toBe(at("18:00:00"));
  expect(nextAt(dispatch("1"), "18:00:00")).toBe(at("20:00:00"));
  expect(nextAt(dispatch("1", { end_time: null }), "18:00:00")).toBe(Number.POSITIVE_INFINITY);
});
