import type { participantConsole } from "@curtail/contract";
import { describe, expect, test } from "vitest";
import {
  deliveredWords,
  deliveringOf,
  duesOf,
  headlineOf,
  nextWords,
  phaseAt,
  shownDispatches,
} from "../../src/rules/headline.js";

type Dispatch = participantConsole.AccountDispatch;

const zone = "America/Chicago";
const now = new Date("2026-11-23T23:00:00Z");
const called = (site_id: string, commitment_kw: number | null, delivered_kw: number | null) => ({
  site_id,
  commitment_kw,
  delivered_kw,
});
const dispatch = (more: Partial<Dispatch> = {}): Dispatch => ({
  id: "dis_1",
  state: "in_progress",
  test: false,
  program: { id: "prg_1", name: "Peak", timezone: zone, market: "", program_type: "capacity" },
  start_time: "2026-11-23T22:30:00Z",
  end_time: "2026-11-24T01:37:00Z",
  reached: true,
  status_limits: null,
  sites: [called("a", 500, 400), called("b", 440, 210)],
  ...more,
});
const site = (id: string, stale = false) => ({ id, name: `Site ${id}`, stale, display_enabled: true });
const sites = [site("a"), site("b")];
/** Numbers stay with their unit. */
const plain = (text: string): string => text.replaceAll("\u00a0", " ");

describe("the headline of a dispatch", () => {
  test("asks for the sum of the commitments until the end, on the clocks of the page", () => {
    expect(plain(headlineOf(dispatch(), now, zone))).toBe("Reduce 940 kW until 19:37.");
    expect(plain(headlineOf(dispatch(), now, "Europe/Berlin"))).toBe("Reduce 940 kW until 02:37.");
    expect(deliveredWords(dispatch())).toBe("You deliver 610 kW, 65%.");
    expect(nextWords(dispatch(), now)).toBe("Ends in 2:37:00.");
  });

  test("says what is not known: an end, a commitment, readings of some sites", () => {
    expect(plain(headlineOf(dispatch({ end_time: null }), now, zone))).toBe("Reduce 940 kW now.");
    expect(nextWords(dispatch({ end_time: null }), now)).toMatch(/No end is set yet/);
    const unknown = dispatch({ sites: [called("a", null, null)] });
    expect(headlineOf(unknown, now, zone)).toBe("Reduce your load until 19:37.");
    expect(deliveredWords(unknown)).toBe("What you deliver is not known yet.");
    const partial = dispatch({ sites: [called("a", 500, 250), called("b", 500, null)] });
    expect(deliveringOf(partial)).toEqual({ deliveredKw: 250, committedKw: 1000, share: 0.25, measuredSites: 1 });
    expect(deliveredWords(partial)).toBe("You deliver 250 kW, 25%, measured at 1 of 2 sites.");
    expect(deliveredWords(dispatch({ sites: [called("a", 500, -23.5)] }))).toMatch(
      /nothing: your load is 23.5 kW above/,
    );
  });

  test("names the day if it is another, a test, and a cancellation", () => {
    const tomorrow = { start_time: "2026-11-24T22:00:00Z", end_time: "2026-11-24T23:00:00Z", test: true } as const;
    const upcoming = dispatch({ state: "upcoming", ...tomorrow });
    expect(plain(headlineOf(upcoming, now, zone))).toBe(
      "Test: Reduce 940 kW from Tue 24 Nov, 16:00 until Tue 24 Nov, 17:00.",
    );
    const cancelled = dispatch({ state: "cancelled" });
    expect(headlineOf(cancelled, now, zone)).toBe("Cancelled: the dispatch from 16:30 until 19:37.");
    expect([nextWords(cancelled, now), duesOf(cancelled, sites, now)]).toEqual(["Nothing to do.", []]);
  });

  test("follows the clock between two answers of the service", () => {
    const soon = dispatch({ state: "upcoming", start_time: "2026-11-23T23:00:01Z" });
    expect([phaseAt(soon, now), phaseAt(soon, new Date("2026-11-23T23:00:01Z"))]).toEqual(["upcoming", "in_progress"]);
    const over = dispatch({ end_time: now.toISOString() });
    expect(phaseAt(over, now)).toBe("over");
    expect(shownDispatches([over, soon, dispatch({ state: "cancelled" })], now)).toMatchObject({
      running: [],
      upcoming: [soon],
      cancelled: [{ state: "cancelled" }],
    });
  });
});

/** Dues of two sites of 100 kW that deliver so much. */
const both = (a: number, b: number) =>
  duesOf(dispatch({ sites: [called("a", 100, a), called("b", 100, b)] }), sites, now);

describe("what to do", () => {
  test("is named by what is missing: readings, power, and the notice", () => {
    const dues = duesOf(dispatch({ reached: false }), [site("a", true), site("b")], now);
    expect(dues).toEqual([
      { kind: "silent", sites: ["Site a"] },
      {
        kind: "short",
        shortfallKw: 330,
        sites: [
          { name: "Site b", shortfallKw: 230 },
          { name: "Site a", shortfallKw: 100 },
        ],
      },
      { kind: "unreached" },
    ]);
  });

  test("is about the account in total: what one site delivers beyond its commitment makes up for another", () => {
    expect(both(20, 200)).toEqual([{ kind: "short_sites", sites: [{ name: "Site a", shortfallKw: 80 }] }]);
    expect(both(20, 130)).toEqual([{ kind: "short", shortfallKw: 50, sites: [{ name: "Site a", shortfallKw: 80 }] }]);
    expect(both(100, 200)).toEqual([{ kind: "none" }]);
  });

  test("never names another shortfall than what the headline leaves to deliver", () => {
    const steps = [-50, 0, 20, 94, 95, 100, 110, 250];
    for (const a of steps)
      for (const b of steps) {
        const shown = dispatch({ sites: [called("a", 100, a), called("b", 100, b)] });
        const due = duesOf(shown, sites, now).find(({ kind }) => kind === "short");
        const { deliveredKw, committedKw } = deliveringOf(shown);
        const leftKw = (committedKw ?? 0) - (deliveredKw ?? 0);
        if (due?.kind === "short") expect(due.shortfallKw).toBe(leftKw);
        else expect(leftKw).toBeLessThanOrEqual(10);
      }
  });

  test("is nothing where all sites report and deliver, or the data is not visible", () => {
    const good = dispatch({ sites: [called("a", 500, 490)] });
    expect(duesOf(good, sites, now)).toEqual([{ kind: "none" }]);
    expect(duesOf(good, [{ ...site("a", true), display_enabled: false }], now)).toEqual([{ kind: "none" }]);
  });
});
