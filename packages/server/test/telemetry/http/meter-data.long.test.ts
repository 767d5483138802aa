import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  csv,
  DAY,
  downloaded,
  energyOf,
  example,
  imported,
  messages,
  newSite,
  prepare,
  send,
  service,
  TWO_SERIES,
  UTILITY_TABLE,
} from "../../support/imports-of-meter-data.js";
import { firstOf, kwReading, pointsOf, read, upload } from "../../support/metering.js";
import type { Participant } from "../../support/running.js";

beforeAll(prepare);

describe("an import", () => {
  test("of a night whose clocks are set back says in the dry run that the order of lines decided, or is refused", async () => {
    const anna = await newSite();
    const newestFirst = ["02:30", "02:00", "02:30", "02:00", "01:30"].map((time, at) => `2025-10-26 ${time},${at}`);
    const query = { dry_run: true, timezone: "Europe/Berlin" } as const;
    const preview = await imported(anna, csv(...newestFirst), query);
    expect(preview).toMatchObject({ fault_count: 0, intervals: 5 });
    expect(preview.notes).toEqual([{ line: 2, message: expect.stringMatching(/twice; the lines run backwards/) }]);
    const once = await imported(anna, csv(...newestFirst.slice(2)), query);
    expect(once).toMatchObject({ fault_count: 1, notes: [] });
  });

  test("of hours is read by participants in every 30 seconds at the mean power", async () => {
    const anna = await newSite();
    const rows = ["2026-06-01T01:00:00Z,3600,12.5", "2026-06-01T01:15:00Z,900,-4"];
    await imported(anna, ["timestamp,interval_seconds,kw", ...rows].join("\n"));
    const { siteId, meterId } = firstOf(anna);
    const answer = await read(anna, [siteId], { start_time: "2026-06-01T00:00:00Z", end_time: "2026-06-01T02:00:00Z" });
    const points = pointsOf(answer, meterId);
    expect(points).toHaveLength(150);
    expect([points[0], points[119], points[120], points[149]]).toEqual([
      ["2026-06-01T00:00:30Z", 12.5],
      ["2026-06-01T01:00:00Z", 12.5],
      ["2026-06-01T01:00:30Z", -4],
      ["2026-06-01T01:15:00Z", -4],
    ]);
  });

  test("leaves out estimated values if that is asked for, and keeps what is stored there", async () => {
    const anna = await newSite();
    const { meterId, siteId } = firstOf(anna);
    expect((await upload(anna, [kwReading(meterId, "2026-06-01T03:30:00Z", 77, 300)])).status).toBe(200);
    const result = await imported(anna, await example("green-button.xml"), { estimated: "leave_out" });
    expect(result.intervals).toBe(23);
    const { items } = (await service.operator(operator.listAudit, { query: { subject: siteId, limit: 1 } })).body;
    expect(items).toMatchObject([{ after: { intervals: 23, estimated_intervals: 0 } }]);
    const hour = { start_time: "2026-06-01T03:00:00Z", end_time: "2026-06-01T04:00:00Z" };
    expect(pointsOf(await read(anna, [siteId], hour), meterId)).toHaveLength(10);
    await imported(anna, await example("green-button.xml"));
    const all = pointsOf(await read(anna, [siteId], hour), meterId);
    expect(all).toHaveLength(120);
    expect(new Set(all.map(([, kw]) => kw))).toEqual(new Set([6]));
  });
});

test("kWh for a battery that sends its state of charge are refused in CSV, and energy in Green Button", async () => {
  const anna = await newSite();
  const { meterId } = firstOf(anna);
  await service.made(operator.changeMeter, { params: { id: meterId }, body: { asset_type: "battery" } });
  const kwh = "timestamp,kwh\n2026-06-01T00:05:00Z,500\n2026-06-01T00:10:00Z,501\n";
  expectError(await send(anna, kwh), 400, /the series "kwh" is in kWh, and kWh of "main" are its state of charge/);
  expect((await imported(anna, kwh.replace("kwh", "kw"))).intervals).toBe(2);
  expect((await imported(anna, await example("green-button.xml"), { meter_id: meterId })).intervals).toBeGreaterThan(0);
  await service.made(operator.changeMeter, { params: { id: meterId }, body: { kwh_means: "energy" } });
  expect((await imported(anna, kwh)).intervals).toBe(2);
});

/** Energy in every interval of the day, by the place of the meter in the site. */
const energies = async (site: Participant, order: readonly number[]) => {
  const { meters } = await energyOf(site, DAY);
  return order.map((at) => {
    const { meter_id: _, name: __, ...energy } = meters[at] ?? { meter_id: "", name: "" };
    expect(energy).toHaveProperty("power_kw");
    return energy;
  });
};

describe("the file that the energy of a site is downloaded as", () => {
  test("goes to the meters of the same names in a site of another account, although their ids are unknown there", async () => {
    const names = ["main", "Main", "=sum(roof)", 'The "old" barn, 2', "Z\u00e4hler"];
    const { site, ids, file } = await downloaded(names);
    const from = await energies(site, [0, 1, 2, 3, 4]);
    expect(new Set(from.map((each) => JSON.stringify(each))).size).toBe(5);
    const other = await newSite(names.toReversed());
    const { series } = await imported(other, file);
    expect(series.map(({ name, meter_name }) => [name, meter_name])).toEqual(ids.map((id, at) => [id, names[at]]));
    expect(await energies(other, [4, 3, 2, 1, 0])).toEqual(from);
    expect((await energyOf(other, DAY)).site).toEqual((await energyOf(site, DAY)).site);
  });

  test("goes to meters of almost the same names", async () => {
    const { site, file } = await downloaded(["Main  meter", "Z\u00e4hler", "=sum(roof)"]);
    const other = await newSite(["=SUM(Roof)", "za\u0308hler", " main\u00a0METER"]);
    await imported(other, file);
    expect(await energies(other, [2, 1, 0])).toEqual(await energies(site, [0, 1, 2]));
  });

  test("is refused if two of its meters have the same name or almost the same, until one is chosen for each", async () => {
    for (const names of [
      ["main", "main"],
      ["main", "Main "],
    ]) {
      const { site, ids, file } = await downloaded(names);
      const other = await newSite(["main", "roof"]);
      const refusal = ids.map(
        (id) =>
          `the series "${id}": the file has several meters of the name "main"; choose its meter with series, or leave it out with none`,
      );
      expect(await messages(other, file)).toEqual(refusal);
      const [, roof] = other.sites[0]?.meters ?? [];
      await imported(other, file, { series: [`${ids[1]}=${roof}`] });
      expect(await energies(other, [0, 1])).toEqual(await energies(site, [0, 1]));
    }
  });

  test("is refused for a meter that the site does not have, or has several of", async () => {
    const { file } = await downloaded(["main", "roof"]);
    expect(await messages(await newSite(["main", "attic"]), file)).toEqual([
      expect.stringMatching(/^the series "mtr_.*": the site has no meter of this name; choose its meter/),
    ]);
    expect(await messages(await newSite(["MAIN", "Main", "roof"]), file)).toEqual([
      expect.stringMatching(/^the series "mtr_.*": the site has several meters of this name; choose its meter/),
    ]);
  });
});

describe("a file with a fault", () => {
  test("has at most 100 of them listed", async () => {
    const rows = Array.from({ length: 300 }, (_, at) => `${new Date(at * 60_000).toISOString()},x`);
    const preview = await imported(await newSite(), csv(...rows), { dry_run: true });
    expect(preview.fault_count).toBe(300);
    expect(preview.faults).toHaveLength(operator.MAX_METER_DATA_FAULTS);
  });

  test.for([
    ["2026-06-10T14:20:00Z,1", /^the interval ends at 2026-06-10T14:20:00Z, which is in the future/],
    ["2025-04-30T23:59:30Z,1", /^the interval begins at .*; readings before 2025-05-01T00:00:00Z are not kept/],
    ["1960-01-01T00:00:00Z,1", /are not kept, leave it out$/],
    ["2026-06-01T00:10:00Z,1e8", /^the mean power is 100000000 kW; its magnitude may be at most 10000000 kW/],
  ] as const)("is refused for %s", async ([row, message]) => {
    service.clock.set(new Date("2026-06-10T14:05:00Z"));
    const preview = await imported(await newSite(), csv(row), { dry_run: true, interval_seconds: 60 });
    expect(preview.faults).toMatchObject([{ line: 2, message: expect.stringMatching(message) }]);
  });

  test("may end up to five minutes ahead, and begin with the first month that is kept", async () => {
    service.clock.set(new Date("2026-06-10T14:05:00Z"));
    const edges = csv("2026-06-10T14:10:00Z,1", "2025-05-01T00:01:00Z,1");
    expect(await imported(await newSite(), edges, { interval_seconds: 60 })).toMatchObject({ intervals: 2 });
  });
});

describe("the meter of a series", () => {
  test("may be chosen for one series or for all, and a series may be left out", async () => {
    const anna = await newSite(["main", "roof"]);
    const [main = "", roof = ""] = anna.sites[0]?.meters ?? [];
    const [bobs] = (await newSite()).sites[0]?.meters ?? [];
    expect(await imported(anna, TWO_SERIES, { series: ["other=none"], dry_run: true })).toMatchObject({
      intervals: 2,
      series: [{ meter_id: main }, { meter_id: null }],
    });
    expect(await imported(anna, TWO_SERIES, { meter_id: roof, series: [`main=${main}`], dry_run: true })).toMatchObject(
      {
        intervals: 4,
        series: [{ meter_id: main }, { meter_id: roof }],
      },
    );
    expect(await messages(anna, TWO_SERIES, { series: ["main=none", "other=none"] })).toEqual([
      "no interval is left to be stored; check the choice of meters",
    ]);
    expect(await messages(anna, TWO_SERIES, { series: [`main=${bobs}`, "nobody=none"], meter_id: roof })).toEqual([
      'a meter is chosen for the series "nobody", which the file does not have; correct its name',
      `the series "main" is to go to ${bobs}, which is no meter of the site; give one of its meters`,
    ]);
    expectError(await send(anna, TWO_SERIES, { series: ["main"] }), 400, /^series is "main"; give name=meter_id/);
  });

  test("gets the sum of its series where all have the interval", async () => {
    const anna = await newSite();
    const { meterId, siteId } = firstOf(anna);
    const body = TWO_SERIES.replace("00:10:00Z,1,2", "00:10:00Z,1,");
    expect(await imported(anna, body, { meter_id: meterId })).toMatchObject({ intervals: 1 });
    const answer = await read(anna, [siteId], { start_time: "2026-06-01T00:00:00Z", interval_seconds: 300 });
    expect(pointsOf(answer, meterId)).toEqual([["2026-06-01T00:05:00Z", 3]]);
  });
});

/** A mapping of so many characters, with names of 200 each. */
const longMapping = (length: number): string => longNames(length - longNames(0).length);
const longNames = (last: number): string =>
  JSON.stringify({
    values: [...Array.from({ length: 38 }, () => ({ name: "a".repeat(200) })), { name: "a".repeat(last) }],
  });

const registerRow = (register: string, hour: number): string =>
  `${new Date(Date.UTC(2026, 4, 1, hour)).toISOString()},${register},10`;

describe("a table of a utility", () => {
  test.for([
    ["{", /^mapping is "\{"; give a JSON object such as/],
    ["[]", /^mapping is "\[\]"; give a JSON object/],
    ['{"colunm":1}', /^mapping has the unknown member "colunm"; remove it, or name one of layout, skip_lines/],
    [
      '{"time":{"formt":"day_first"}}',
      /^mapping has the unknown member "time.formt"; remove it, or name one of columns/,
    ],
    ['{"values":[{"units":"kWh"}]}', /^mapping has the unknown member "values\[\].units"/],
    ['{"matrix":{"clok":"local"}}', /^mapping has the unknown member "matrix.clok"/],
    ['{"time":{"format":"us"}}', /^mapping: time.format is "us"; it must be one of year_first, day_first/],
    ['{"values":[{"column":0}]}', /^mapping: values\[0\].column is 0/],
    ['{"delimiter":7}', /^mapping: delimiter is 7/],
  ] as const)("is refused with the mapping %s", async ([mapping, message]) => {
    expectError(await send(await newSite(), UTILITY_TABLE, { mapping, dry_run: true }), 400, message);
  });

  test("may have a mapping of 8,192 characters, and no longer one", async () => {
    const anna = await newSite();
    expect(longMapping(8192)).toHaveLength(8192);
    expect((await send(anna, UTILITY_TABLE, { mapping: longMapping(8192), dry_run: true })).status).toBe(200);
    expectError(await send(anna, UTILITY_TABLE, { mapping: longMapping(8193), dry_run: true }), 400, /^mapping/);
  });
});

test("a register that begins later discards nothing of another of its meter", async () => {
  const anna = await newSite();
  const rows = [
    ...Array.from({ length: 24 }, (_, hour) => registerRow("old", hour)),
    ...Array.from({ length: 12 }, (_, hour) => registerRow("new", hour + 12)),
  ];
  const { meterId } = firstOf(anna);
  const result = await imported(anna, ["interval_start,meter,kwh", ...rows].join("\n"), { meter_id: meterId });
  expect(result).toMatchObject({ intervals: 24, unmatched_intervals: 0 });
  const energy = await energyOf(anna, ["2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z"]);
  expect(energy.site.energy_kwh).toBeCloseTo(360, 6);
});

describe("a body", () => {
  test("that is no file is refused with what to do", async () => {
    const anna = await newSite();
    for (const body of ["", "  ", "{}", "[]", "PK\u0003\u0004"])
      expectError(await send(anna, body), 400, /^nothing was imported; line 1: /);
    const path = `/sites/${firstOf(anna).siteId}/meter-data`;
    expectError(await service.operator("PUT", path), 400, /line 1: the file has no intervals/);
    expectError(await service.operator("PUT", `${path}?format=xls`, "x"), 400, /^format is "xls"/);
    expectError(await service.operator("PUT", `${path}?dry_run=yes`, "x"), 400, /^dry_run is "yes"/);
  });

  test("may be of any media type, and an offset in the query needs no escape", async () => {
    const anna = await newSite();
    const path = `/sites/${firstOf(anna).siteId}/meter-data?dry_run=true&timezone=+02:00`;
    for (const type of ["text/csv", "application/octet-stream", "application/json"]) {
      const answer = await service.operator("PUT", path, csv("2026-06-01 02:05,1", "2026-06-01 02:10,1"), {
        "content-type": type,
      });
      expect(answer.body).toMatchObject({ fault_count: 0, series: [{ start_time: "2026-06-01T00:00:00Z" }] });
    }
  });
});
