import { describe, expect, test } from "vitest";
import { dispatchHeadline, wholeKw } from "../../src/rules/dispatch-headline.js";

const NOW = new Date("2026-06-10T18:00:00Z");
const at = (minutes: number): string => new Date(NOW.getTime() + minutes * 60_000).toISOString();
const times = (from: number, to: number | null, authorized = true) => ({
  authorized,
  start_time: at(from),
  end_time: to === null ? null : at(to),
});
const said = (of: ReturnType<typeof times>, deliveredKw: number | null, isReplay = false) =>
  dispatchHeadline(of, { deliveredKw, committedKw: 8200 }, { now: NOW, isReplay });

describe("the sentence that a dispatch begins with", () => {
  test("says what it delivers of its commitment, and what it lacks", () => {
    expect(said(times(-30, 30), 5330)).toEqual({
      verb: "delivers",
      delivered: { kw: 5330, share: 0.65 },
      committedKw: 8200,
      shortKw: 2870,
      isMean: false,
    });
    expect(said(times(-30, null), 9000).shortKw).toBe(0);
  });

  test("is in the past tense in a replay, and of the mean once the dispatch is over", () => {
    expect(said(times(-30, 30), 5330, true)).toMatchObject({ verb: "delivered", isMean: false });
    expect(said(times(-30, -5), 5330)).toMatchObject({ verb: "delivered", isMean: true });
  });

  test("names no figure that is not known, and judges nothing before the start or after a cancellation", () => {
    expect(said(times(-30, 30), null)).toMatchObject({ verb: "has to deliver", delivered: null, shortKw: null });
    expect(said(times(30, 60), null)).toMatchObject({ verb: "will deliver", delivered: null, shortKw: null });
    expect(said(times(30, 60), null, true).verb).toBe("was to deliver");
    expect(said(times(-30, 30, false), 500)).toMatchObject({
      verb: "was cancelled",
      delivered: null,
      committedKw: null,
    });
  });

  test("has no share without a commitment", () => {
    const none = dispatchHeadline(times(-30, 30), { deliveredKw: 12.4, committedKw: 0 }, { now: NOW, isReplay: false });
    expect(none).toMatchObject({ delivered: { kw: 12.4, share: null }, shortKw: 0 });
    expect(wholeKw(12_345.6)).toBe("12,346");
  });
});
