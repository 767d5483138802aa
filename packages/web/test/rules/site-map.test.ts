import { describe, expect, test } from "vitest";
import {
  boundsOf,
  lackOf,
  lackOffMap,
  listed,
  marksOfRows,
  marksOfShort,
  matching,
  pointsOf,
  shortSumOf,
} from "../../src/rules/site-map.js";
import type { SiteRow, SiteState } from "../../src/rules/site-row.js";

const site = (id: string, name = id, account_id = "acc_1") => ({
  id,
  account_id,
  name,
  latitude: 30,
  longitude: -97,
  commitment_kw: 100,
  simulated: false,
});

const row = (site_id: string, state: SiteState, short_kw: number | null): SiteRow => ({
  site_id,
  name: site_id,
  account_id: "acc_1",
  commitment_kw: 100,
  delivered_kw: short_kw === null ? null : 100 - short_kw,
  short_kw,
  state,
  reading_at: null,
});

const short = (site_id: string, dispatch_id: string, short_kw: number) => ({
  site_id,
  dispatch_id,
  state: "below" as const,
  delivered_kw: 10,
  short_kw,
});

const running = (id: string, short_sites: number, short_kw: number | null, sites_measured: number | null) => ({
  id,
  short_sites,
  short_kw,
  sites_measured,
  program_name: "Peak",
  timezone: "UTC",
  sites: 9,
  start_time: "2026-07-01T18:00:00Z",
  end_time: null,
  ramp_until: null,
});

describe("points of one dispatch", () => {
  const rows = [
    row("a", "not_notified", 20),
    row("b", "not_notified", 0.4),
    row("c", "below", 30),
    row("d", "on_commitment", 3),
    row("e", "no_readings", null),
  ];
  const sites = ["a", "b", "c", "d", "e", "f"].map((id) => site(id));

  test("have a sign by what they lack and why", () => {
    const kinds = pointsOf(sites, marksOfRows(rows, "dis_1", true), true).map(({ kind }) => kind);
    expect(kinds).toEqual(["unreached", "dispatched", "short", "dispatched", "dispatched", "other"]);
  });

  test("lack nothing while it is not judged", () => {
    const points = pointsOf(sites, marksOfRows(rows, "dis_1", false), true);
    expect(points.map(lackOf)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(points.at(-1)?.kind).toBe("other");
  });

  test("are listed without other sites, the largest shortfall first, then by name", () => {
    const points = pointsOf(sites, marksOfRows(rows, "dis_1", true), true);
    expect(listed(points, true).map(({ site: { id } }) => id)).toEqual(["c", "a", "b", "d", "e"]);
  });
});

describe("points of all dispatches in progress", () => {
  test("have the larger of two shortfalls, and others are plain", () => {
    const marks = marksOfShort([short("a", "dis_1", 5), short("a", "dis_2", 9), short("a", "dis_3", 7)]);
    expect(marks.get("a")).toMatchObject({ dispatchId: "dis_2", shortKw: 9 });
    expect(pointsOf([site("a"), site("b")], marks, false).map(({ kind }) => kind)).toEqual(["short", "plain"]);
    expect(listed(pointsOf([site("b"), site("a")], marks, false), false)).toHaveLength(2);
  });

  test("say what is short where no map shows it", () => {
    const marks = marksOfShort([short("a", "dis_1", 5), short("b", "dis_1", 9), short("c", "dis_1", 0.2)]);
    expect(lackOffMap(marks, [site("a")])).toEqual({ sites: 1, kw: 9 });
  });

  test("are summed without offsetting one dispatch by another", () => {
    const sum = shortSumOf([
      running("dis_1", 2, 40, 9),
      running("dis_2", 0, 12, 9),
      running("dis_3", 1, 0, 9),
      running("dis_4", 0, null, null),
    ]);
    expect(sum).toEqual({ dispatches: 4, shortDispatches: 2, shortKw: 40, shortSites: 3, isPart: true });
  });
});

test("sites are found by their names and those of their accounts", () => {
  const sites = [site("1", "Mill", "acc_1"), site("2", "Quarry", "acc_2")];
  const accounts = new Map([["acc_2", "Milling Co"]]);
  expect(matching(sites, " MILL ", accounts).map(({ id }) => id)).toEqual(["1", "2"]);
  expect(matching(sites, "quarry", accounts).map(({ id }) => id)).toEqual(["2"]);
  expect(matching(sites, "", accounts)).toBe(sites);
});

test("bounds hold all places, and there are none of none", () => {
  expect(boundsOf([])).toBeNull();
  expect(
    boundsOf([
      { latitude: -33, longitude: 151 },
      { latitude: 52, longitude: -179 },
    ]),
  ).toEqual([-179, -33, 151, 52]);
});
