import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { enableDisplay, newDisplayed } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import { intervalsBetween, uploadIntervals } from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let viewer: Browser;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
  anna = await newDisplayed(service, { sites: [["main", "solar"]] });
  viewer = await newBrowser(service, "participant-viewer", anna.accountId);
});

/** Readings of 30 s of a meter of the participant's first site. */
const readings = (
  of: Participant,
  meter: number,
  between: readonly [string, string],
  kwAt: (endMs: number) => number,
) => uploadIntervals(of, of.sites[0]?.meters[meter] ?? "", intervalsBetween(between, 30, kwAt));

// A test looks into what it was sent; each expectation is the check.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const energyAt = async (siteId: string, query: string): Promise<Body> => {
  const { status, text, body } = await service.operator("GET", `/sites/${siteId}/energy?${query}`);
  expect(status, text).toBe(200);
  return body;
};

const energyOf = (of: Participant, query: string): Promise<Body> => energyAt(firstOf(of).siteId, query);

/** 60 kW until a quarter past ten, then 120. */
const stepUp = (endMs: number): number => (endMs <= Date.parse("2026-06-10T10:15:00Z") ? 60 : 120);

const hour = "start_time=2026-06-10T10:00:00Z&end_time=2026-06-10T11:00:00Z";

describe("the energy of a site", () => {
  test("has the power of its meters and their sum, import and export apart, and gaps as gaps", async () => {
    await readings(anna, 0, ["2026-06-10T10:00:00Z", "2026-06-10T10:45:00Z"], stepUp);
    await readings(anna, 1, ["2026-06-10T10:00:00Z", "2026-06-10T10:30:00Z"], () => -80);
    const energy = await energyOf(anna, `${hour}&points=4`);
    expect(energy).toMatchObject({
      site_id: firstOf(anna).siteId,
      timezone: "UTC",
      start_time: "2026-06-10T10:00:00Z",
      end_time: "2026-06-10T11:00:00Z",
      interval_seconds: 900,
      day_ends: null,
    });
    expect(energy.site).toEqual({
      energy_kwh: 5,
      imported_kwh: 10,
      exported_kwh: 5,
      peak_kw: 40,
      coverage: 0.5,
      power_kw: [-20, 40, null, null],
      min_kw: [-20, 40, null, null],
      max_kw: [-20, 40, null, null],
    });
    expect(energy.meters).toMatchObject([
      {
        name: "main",
        asset_type: "load",
        energy_kwh: 75,
        exported_kwh: 0,
        peak_kw: 120,
        coverage: 0.75,
        power_kw: [60, 120, 120, null],
      },
      {
        name: "solar",
        energy_kwh: -40,
        imported_kwh: 0,
        exported_kwh: 40,
        peak_kw: -80,
        power_kw: [-80, -80, null, null],
      },
    ]);
  });

  test("has means, lowest and highest of the cells that are there", async () => {
    const bert = await newDisplayed(service);
    await readings(bert, 0, ["2026-06-10T10:00:00Z", "2026-06-10T10:02:00Z"], (endMs) => (endMs / 30_000) % 4);
    const { meters, site } = await energyOf(bert, `${hour}&points=1`);
    expect(meters[0]).toMatchObject({
      power_kw: [1.5],
      min_kw: [0],
      max_kw: [3],
      energy_kwh: 0.05,
      coverage: 0.0333333333,
    });
    expect(site).toEqual({ ...site, power_kw: [1.5], peak_kw: 3 });
  });

  test("has the same sums at every interval, and never more intervals than requested", async () => {
    for (const points of [1, 2, 3, 12, 60, 120, 5000]) {
      const energy = await energyOf(anna, `${hour}&points=${points}`);
      expect(energy.site.energy_kwh).toBe(5);
      expect(energy.site.power_kw.length).toBeLessThanOrEqual(points);
      for (const { power_kw, min_kw, max_kw } of energy.meters) {
        expect([power_kw.length, min_kw.length, max_kw.length]).toEqual(Array(3).fill(energy.site.power_kw.length));
      }
    }
  });

  test("covers what is over by now, and the last day by default", async () => {
    const carl = await newDisplayed(service);
    await readings(carl, 0, ["2026-06-10T11:00:00Z", "2026-06-10T12:00:00Z"], () => 1);
    const today = await energyOf(carl, "start_time=2026-06-10T10:00:00Z&end_time=2026-06-10T14:00:00Z");
    expect(today.meters[0]).toMatchObject({ coverage: 0.5, energy_kwh: 1 });
    const usual = await energyOf(carl, "");
    expect([usual.start_time, usual.end_time]).toEqual(["2026-06-09T12:00:00Z", "2026-06-10T12:00:00Z"]);
    const later = await energyOf(carl, "start_time=2026-06-11T00:00:00Z&end_time=2026-06-12T00:00:00Z");
    expect(later.site).toMatchObject({ energy_kwh: null, peak_kw: null, coverage: null });
  });

  test("of days has the local days of the site, and says where they end", async () => {
    const dora = await newDisplayed(service);
    await service.made(operator.changeSite, {
      params: { id: firstOf(dora).siteId },
      body: { timezone: "America/New_York" },
    });
    await readings(dora, 0, ["2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"], () => 10);
    const days = "start_time=2026-03-07T12:00:00Z&end_time=2026-03-10T00:00:00Z&points=3";
    const energy = await energyOf(dora, days);
    expect(energy).toMatchObject({
      timezone: "America/New_York",
      start_time: "2026-03-07T05:00:00Z",
      end_time: "2026-03-10T04:00:00Z",
      interval_seconds: 86_400,
      day_ends: ["2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", "2026-03-10T04:00:00Z"],
    });
    expect(energy.meters[0]).toMatchObject({ energy_kwh: 230, power_kw: [null, 10, null] });
  });

  test("is unknown while a meter is silent that reported in the week before", async () => {
    const emil = await newDisplayed(service, { sites: [["main", "annex"]] });
    await readings(emil, 1, ["2026-06-01T23:59:00Z", "2026-06-02T00:00:00Z"], () => 5);
    await readings(emil, 0, ["2026-06-08T22:00:00Z", "2026-06-09T02:00:00Z"], () => 7);
    const { site } = await energyOf(emil, "start_time=2026-06-08T22:00:00Z&end_time=2026-06-09T02:00:00Z&points=4");
    expect(site.power_kw).toEqual([null, null, 7, 7]);
  });

  test("of a site without meters, and of one without readings, is not known", async () => {
    const { id } = await service.made(operator.createSite, { params: { id: anna.accountId }, body: { name: "Empty" } });
    const empty = await energyAt(id, `${hour}&points=2`);
    expect(empty).toMatchObject({ meters: [], site: { energy_kwh: null, coverage: 0, power_kw: [null, null] } });
  });

  test("takes a year in stretches", async () => {
    const flora = await newDisplayed(service, { sites: [["main", "annex"]] });
    for (const meter of [0, 1]) {
      for (const day of ["2025-06-15", "2025-12-01", "2026-06-09"])
        await readings(flora, meter, [`${day}T00:00:00Z`, `${day}T06:00:00Z`], () => 10);
    }
    const { site, meters, interval_seconds } = await energyOf(
      flora,
      "start_time=2025-06-10T00:00:00Z&end_time=2026-06-10T00:00:00Z",
    );
    expect([interval_seconds, site.energy_kwh, meters[0].energy_kwh, meters[1].energy_kwh]).toEqual([
      21_600, 360, 180, 180,
    ]);
    expect(site.power_kw.filter((kw: number | null) => kw !== null)).toEqual([20, 20, 20]);
    expect(site.power_kw[20]).toBe(20);
  });
});

describe("who asks for energy", () => {
  test("sees that of an own site once an operator has enabled its display", async () => {
    const hidden = await service.newParticipant();
    const person = await newBrowser(service, "participant-viewer", hidden.accountId);
    const path = `/sites/${firstOf(hidden).siteId}/energy`;
    for (const each of [path, `${path}/download`])
      expectError(await person.console("GET", each), 404, /until the operator enables it/);
    expect((await service.operator("GET", path)).status).toBe(200);
    await enableDisplay(service, hidden);
    expect((await person.console("GET", path)).status).toBe(200);
  });

  test("is a person of the site's account, at the console", async () => {
    const { siteId } = firstOf(anna);
    const own = await viewer.console("GET", `/sites/${siteId}/energy?${hour}&points=4`);
    expect(own.text).toBe((await service.operator("GET", `/sites/${siteId}/energy?${hour}&points=4`)).text);
  });

  test("finds no site of another account", async () => {
    const other = await newDisplayed(service);
    for (const path of ["energy", "energy/download"]) {
      expectError(await viewer.console("GET", `/sites/${firstOf(other).siteId}/${path}`), 404, /No such site/);
      expectError(await viewer.console("GET", `/sites/site_0/${path}`), 404, /No such site/);
      expectError(await service.operator("GET", `/sites/site_0/${path}`), 404, /No such site/);
    }
  });

  test.for([
    ["start_time=yesterday", /^start_time is "yesterday"; give RFC 3339/],
    ["end_time=2026-06-10", /^end_time is "2026-06-10"; give RFC 3339/],
    ["start_time=2026-06-10T10:00:00Z&end_time=2026-06-10T10:00:00Z", /^end_time must be after start_time/],
    ["start_time=2025-05-06T09:59:59Z&end_time=2026-06-10T10:00:00Z", /^a period of energy lasts at most 400 days/],
  ] as const)("is told what is wrong with %s", async ([query, message]) => {
    for (const path of ["energy", "energy/download"])
      expectError(await viewer.console("GET", `/sites/${firstOf(anna).siteId}/${path}?${query}`), 400, message);
  });

  test("names the limit of points", async () => {
    const path = `/sites/${firstOf(anna).siteId}/energy`;
    for (const points of ["0", "5001", "1.5", "many"])
      expectError(await viewer.console("GET", `${path}?points=${points}`), 400, /points is/);
    expect((await viewer.console("GET", `${path}?points=5000`)).status).toBe(200);
    const week = "start_time=2026-06-01T00:00:00Z&end_time=2026-06-08T00:00:00Z";
    expectError(await viewer.console("GET", `${path}?${week}&points=6`), 400, /at least 7 points/);
    expect((await viewer.console("GET", `${path}?${week}&points=7`)).body.interval_seconds).toBe(86_400);
  });

  test("gets the longest period there is", async () => {
    const path = `/sites/${firstOf(anna).siteId}/energy?start_time=2025-05-06T12:00:00%2B02:00&end_time=2026-06-10T10:00:00Z`;
    const { status, body } = await viewer.console("GET", path);
    expect([status, body.interval_seconds, body.site.power_kw.length]).toEqual([200, 86_400, 401]);
  });
});
