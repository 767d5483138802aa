import { readFile } from "node:fs/promises";
import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newDisplayed } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, measuredProgram, performanceOf, untilVersions } from "../../support/measuring.js";
import { firstOf, kwReading, pointsOf, read, upload } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Import of meter data from Green Button, NEM12 and CSV.
let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_KEEP_TELEMETRY: "400" });
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
});

const example = (name: string): Promise<string> =>
  readFile(new URL(`../../../../../examples/meter-data/${name}`, import.meta.url), "utf8");

const newSite = (meters: readonly string[] = ["main"]): Promise<Participant> =>
  newDisplayed(service, { sites: [meters] });

type Query = NonNullable<Parameters<typeof service.made<typeof operator.importMeterData>>[1]>["query"];

const send = (participant: Participant, body: string, query: Query = {}) =>
  service.operator(operator.importMeterData, { params: { id: firstOf(participant).siteId }, query, body });

const imported = async (participant: Participant, body: string, query: Query = {}) => {
  const answer = await send(participant, body, query);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

const energyOf = async (participant: Participant, [start_time, end_time]: readonly [string, string]) => {
  const params = { id: firstOf(participant).siteId };
  return service.made(operator.getAnySiteEnergy, { params, query: { start_time, end_time, points: 5000 } });
};

const storedRows = async (participant: Participant): Promise<number> => {
  const { rows } = await service.database.pool.query(
    `select count(*) as count from telemetry_hours join sites on sites.key = telemetry_hours.site where sites.id = $1`,
    [firstOf(participant).siteId],
  );
  return Number(rows[0].count);
};

const csv = (...rows: readonly string[]): string => ["timestamp,kw", ...rows, ""].join("\n");

describe("an import", () => {
  test("of Green Button is tried without being stored, stored, and the same the second time", async () => {
    const anna = await newSite();
    const file = await example("green-button.xml");
    const preview = await imported(anna, file, { dry_run: true });
    const meter = { meter_id: firstOf(anna).meterId, meter_name: "main" };
    expect(preview).toMatchObject({ dry_run: true, format: "green_button", intervals: 24, fault_count: 0, faults: [] });
    expect(preview.series).toEqual([
      {
        name: "store/1",
        description: "Northgate Store, Hourly consumption",
        unit: "Wh",
        ...meter,
        start_time: "2026-06-01T00:00:00Z",
        end_time: "2026-06-02T00:00:00Z",
        interval_seconds: 3600,
        intervals: 24,
        missing_intervals: 0,
        estimated_intervals: 1,
        energy_kwh: preview.series[0]?.energy_kwh,
      },
    ]);
    expect(await storedRows(anna)).toBe(0);

    expect(await imported(anna, file)).toEqual({ ...preview, dry_run: false });
    const day = ["2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"] as const;
    const energy = await energyOf(anna, day);
    expect(energy.site.energy_kwh).toBeCloseTo(preview.series[0]?.energy_kwh ?? 0, 5);
    expect(energy.site.coverage).toBe(1);

    expect(await imported(anna, file)).toEqual({ ...preview, dry_run: false });
    expect(await energyOf(anna, day)).toEqual(energy);
    expect(await storedRows(anna)).toBe(24);
  });

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

  test("of NEM12 adds up grid and solar of one meter, and leaves a day's gap as it is", async () => {
    const anna = await newSite();
    const file = await example("nem12.csv");
    const { meterId } = firstOf(anna);
    const result = await imported(anna, file, { meter_id: meterId });
    expect(result.left_out).toMatchObject([{ name: "NMI0000001:Q1", line: 11 }]);
    expect(
      result.series.map(({ name, missing_intervals, estimated_intervals }) => [
        name,
        missing_intervals,
        estimated_intervals,
      ]),
    ).toEqual([
      ["NMI0000001:E1", 0, 4],
      ["NMI0000001:B1", 0, 0],
    ]);
    expect(result.intervals).toBe(92);
    const first = await energyOf(anna, ["2026-05-31T14:00:00Z", "2026-06-01T14:00:00Z"]);
    const second = await energyOf(anna, ["2026-06-01T14:00:00Z", "2026-06-02T14:00:00Z"]);
    expect([first.site.coverage, second.site.coverage]).toEqual([1, expect.closeTo(22 / 24, 6)]);
    // Nothing flows into the grid in the two hours that are missing.
    const net = result.series.reduce((sum, { energy_kwh }) => sum + energy_kwh, 0);
    expect((first.site.energy_kwh ?? 0) + (second.site.energy_kwh ?? 0)).toBeCloseTo(net, 5);
    expect(net).toBeCloseTo(851.06, 3);
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

  test("is audited with counts, for operators and participants", async () => {
    const anna = await newSite();
    const browser = await newBrowser(service, "participant-admin", anna.accountId);
    const { siteId, meterId } = firstOf(anna);
    await imported(anna, csv("2026-06-01T00:05:00Z,1", "2026-06-01T00:10:00Z,2"), { dry_run: true });
    await imported(anna, csv("2026-06-01T00:05:00Z,1", "2026-06-01T00:10:00Z,2"));
    const call = { params: { id: siteId }, body: csv("2026-06-02T00:05:00Z,1", "2026-06-02T00:10:00Z,2") };
    expect((await browser.console(participantConsole.importOwnMeterData, call)).status).toBe(200);
    const { items } = (await service.operator(operator.listAudit, { query: { subject: siteId } })).body;
    const entries = items.filter(({ action }) => action === "meter_data.import");
    const after = { site_id: siteId, format: "csv", meters: [meterId], intervals: 2, estimated_intervals: 0 };
    expect(entries).toMatchObject([
      { actor: `user:${browser.id}`, account_id: anna.accountId, before: null, after },
      {
        actor: "operator",
        subject_kind: "meter_data",
        before: null,
        after: { ...after, start_time: "2026-06-01T00:00:00Z", end_time: "2026-06-01T00:10:00Z" },
      },
    ]);
  });

  test("corrects the result of a dispatch in its period", async () => {
    const anna = await newSite();
    const { meterId } = firstOf(anna);
    const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } } as const;
    const programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
    const [start, end] = ["2026-06-10T12:30:00Z", "2026-06-10T13:00:00Z"];
    const minutes = (from: number, count: number, kw: number) =>
      Array.from({ length: count }, (_, at) =>
        kwReading(meterId, new Date(Date.parse(start) + (from + at + 1) * 60_000).toISOString(), kw, 60),
      );
    service.clock.set(new Date("2026-06-10T12:29:00Z"));
    const id = await dispatchBetween(service, programId, [start, end]);
    service.clock.set(new Date("2026-06-10T14:05:00Z"));
    expect((await upload(anna, [...minutes(-15, 15, 100), ...minutes(0, 90, 80)])).status).toBe(200);
    await untilVersions(service, id, 1);
    expect((await performanceOf(service, id)).sites[0]).toMatchObject({ mean_reduction_kw: 20 });
    const quarters = ["12:45", "13:00"].map((time) => `2026-06-10T${time}:00Z,900,50`);
    await imported(anna, ["timestamp,interval_seconds,kw", ...quarters].join("\n"));
    await untilVersions(service, id, 2);
    expect((await performanceOf(service, id)).sites[0]).toMatchObject({ mean_reduction_kw: 50 });
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

describe("the file that the energy of a site is downloaded as", () => {
  const day = ["2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"] as const;
  const quarters = Array.from({ length: 96 }, (_, at) => new Date(Date.parse(day[0]) + (at + 1) * 900_000));

  /** A site with other readings for each meter and quarter of an hour, and its file. */
  const downloaded = async (names: readonly string[]) => {
    const site = await newSite(names);
    const ids = site.sites[0]?.meters ?? [];
    const rows = quarters.map((time, at) => [time.toISOString(), ...ids.map((_, meter) => (at * 7 + meter * 31) % 50)]);
    await imported(site, [["timestamp", ...ids.map((id) => `${id} kw`)], ...rows].join("\n"));
    const path = `/sites/${firstOf(site).siteId}/energy/download?start_time=${day[0]}&end_time=${day[1]}`;
    return { site, ids, file: (await service.operator("GET", path)).text };
  };
  /** Energy in every interval of the day, by the place of the meter in the site. */
  const energies = async (site: Participant, order: readonly number[]) => {
    const { meters } = await energyOf(site, day);
    return order.map((at) => {
      const { meter_id: _, name: __, ...energy } = meters[at] ?? { meter_id: "", name: "" };
      expect(energy).toHaveProperty("power_kw");
      return energy;
    });
  };

  test("can be imported into that site again", async () => {
    const { site, file } = await downloaded(["main", "main", "Main"]);
    const before = await energyOf(site, day);
    expect((await imported(site, file)).intervals).toBe(3 * 288);
    expect(await energyOf(site, day)).toEqual(before);
  });

  test("goes to the meters of the same names in a site of another account, although their ids are unknown there", async () => {
    const names = ["main", "Main", "=sum(roof)", 'The "old" barn, 2', "Z\u00e4hler"];
    const { site, ids, file } = await downloaded(names);
    const from = await energies(site, [0, 1, 2, 3, 4]);
    expect(new Set(from.map((each) => JSON.stringify(each))).size).toBe(5);
    const other = await newSite(names.toReversed());
    const { series } = await imported(other, file);
    expect(series.map(({ name, meter_name }) => [name, meter_name])).toEqual(ids.map((id, at) => [id, names[at]]));
    expect(await energies(other, [4, 3, 2, 1, 0])).toEqual(from);
    expect((await energyOf(other, day)).site).toEqual((await energyOf(site, day)).site);
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
  const faulty = csv("2026-06-01T00:05:00Z,1", "2026-06-01T00:10:00Z,x", "yesterday,3", "2026-06-01T00:15:00Z,1");

  test("stores nothing: a dry run lists all faults by line, an import the first of them", async () => {
    const anna = await newSite();
    const preview = await imported(anna, faulty, { dry_run: true });
    expect(preview).toMatchObject({ fault_count: 2, faults: [{ line: 3 }, { line: 4 }] });
    expectError(
      await send(anna, faulty),
      400,
      /^nothing was imported; line 3: the value "x" of kw is no number.*; line 4: .*\. Send the file with dry_run=true for the whole list$/,
    );
    expect(await storedRows(anna)).toBe(0);
  });

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

describe("an import that fails in the middle", () => {
  test("stores nothing of what it has written", async () => {
    const anna = await newSite();
    const { pool } = service.database;
    await pool.query(`create function fail_import() returns trigger language plpgsql as $$ begin
                     if (select count(*) from telemetry_hours where site = (select key from sites where id = new.subject)) <> 24
                     then return new; end if;
                     raise exception 'the disk is gone'; end $$`);
    await pool.query(`create trigger fail_import before insert on audit_log for each row
                   when (new.action = 'meter_data.import') execute function fail_import()`);
    const answer = await send(anna, await example("green-button.xml"));
    await pool.query("drop function fail_import cascade");
    expect(answer.status).toBe(500);
    expect(await storedRows(anna)).toBe(0);
  });
});

const messages = async (participant: Participant, body: string, query: Query = {}) =>
  (await imported(participant, body, { ...query, dry_run: true })).faults.map(({ message }) => message);

describe("the meter of a series", () => {
  const two = "timestamp,main kw,other kw\n2026-06-01T00:05:00Z,1,2\n2026-06-01T00:10:00Z,1,2\n";
  test("is that of its name, or of its id", async () => {
    const anna = await newSite(["main", "roof"]);
    const [main, roof] = anna.sites[0]?.meters ?? [];
    const result = await imported(anna, two.replace("other", roof ?? ""), { dry_run: true });
    expect(result.series.map(({ meter_id, meter_name }) => [meter_id, meter_name])).toEqual([
      [main, "main"],
      [roof, "roof"],
    ]);
  });

  test("must be chosen otherwise, unless there is one of each", async () => {
    expect(await messages(await newSite(["main", "roof"]), two)).toEqual([
      'the series "other": the site has no meter of this name; choose its meter with series, or leave it out with none',
    ]);
    expect(await messages(await newSite(["main", "main"]), two)).toEqual([
      'the series "main": the site has several meters of this name; choose its meter with series, or leave it out with none',
      expect.stringMatching(/^the series "other"/),
    ]);
    expect(await messages(await newSite(["roof"]), csv("2026-06-01T00:05:00Z,1"), { interval_seconds: 300 })).toEqual(
      [],
    );
  });

  test("may be chosen for one series or for all, and a series may be left out", async () => {
    const anna = await newSite(["main", "roof"]);
    const [main = "", roof = ""] = anna.sites[0]?.meters ?? [];
    const [bobs] = (await newSite()).sites[0]?.meters ?? [];
    expect(await imported(anna, two, { series: ["other=none"], dry_run: true })).toMatchObject({
      intervals: 2,
      series: [{ meter_id: main }, { meter_id: null }],
    });
    expect(await imported(anna, two, { meter_id: roof, series: [`main=${main}`], dry_run: true })).toMatchObject({
      intervals: 4,
      series: [{ meter_id: main }, { meter_id: roof }],
    });
    expect(await messages(anna, two, { series: ["main=none", "other=none"] })).toEqual([
      "no interval is left to be stored; check the choice of meters",
    ]);
    expect(await messages(anna, two, { series: [`main=${bobs}`, "nobody=none"], meter_id: roof })).toEqual([
      'a meter is chosen for the series "nobody", which the file does not have; correct its name',
      `the series "main" is to go to ${bobs}, which is no meter of the site; give one of its meters`,
    ]);
    expectError(await send(anna, two, { series: ["main"] }), 400, /^series is "main"; give name=meter_id/);
  });

  test("gets the sum of its series where all have the interval", async () => {
    const anna = await newSite();
    const { meterId, siteId } = firstOf(anna);
    const body = two.replace("00:10:00Z,1,2", "00:10:00Z,1,");
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
  const file = [
    "Zeit;Verbrauch (kWh)",
    ...["00:00", "00:15", "00:30"].map((time, at) => `06.05.2026 ${time};${at},5`),
  ].join("\n");

  test("is shown with its mapping, reasons, doubts and first lines, and imported as the answers state", async () => {
    const anna = await newSite();
    const query = { dry_run: true, timezone: "Europe/Berlin" } as const;
    const open = await imported(anna, file, query);
    expect(open.doubts?.map(({ member }) => member)).toEqual(["time.format", "time.label"]);
    expect(open.fault_count).toBe(2);
    expect(open.mapping).toMatchObject({ delimiter: ";", decimal: ",", time: { columns: [1], zone: "Europe/Berlin" } });
    expect(open.reasons).toContain("cells are separated by semicolons");
    expect(open.first_lines?.slice(0, 2)).toEqual([
      ["Zeit", "Verbrauch (kWh)"],
      ["06.05.2026 00:00", "0,5"],
    ]);
    expectError(
      await send(anna, file, { timezone: "Europe/Berlin" }),
      400,
      /line 2: "06.05.2026 00:00": is the day or the month first\?/,
    );
    expect(await storedRows(anna)).toBe(0);

    const mapping = JSON.stringify({ time: { format: "day_first", label: "start" } });
    const preview = await imported(anna, file, { ...query, mapping });
    expect(preview).toMatchObject({ fault_count: 0, doubts: [], header: open.header, intervals: 3 });
    const stored = await imported(anna, file, { timezone: "Europe/Berlin", mapping });
    expect(stored.first_lines).toBeUndefined();
    expect(stored.series).toMatchObject([{ start_time: "2026-05-05T22:00:00Z", energy_kwh: 4.5 }]);
    // What was answered is a mapping as a whole: sent back, it reads the same.
    const whole = JSON.stringify(preview.mapping);
    expect(await imported(anna, file, { ...query, mapping: whole })).toMatchObject({
      mapping: preview.mapping,
      intervals: 3,
    });
  });

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
    expectError(await send(await newSite(), file, { mapping, dry_run: true }), 400, message);
  });

  test("may have a mapping of 8,192 characters, and no longer one", async () => {
    const anna = await newSite();
    expect(longMapping(8192)).toHaveLength(8192);
    expect((await send(anna, file, { mapping: longMapping(8192), dry_run: true })).status).toBe(200);
    expectError(await send(anna, file, { mapping: longMapping(8193), dry_run: true }), 400, /^mapping/);
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

describe("who imports", () => {
  const body = csv("2026-06-01T00:05:00Z,1", "2026-06-01T00:10:00Z,2");

  test("must own the site or be an operator; others do not learn that it exists", async () => {
    const [anna, bob] = [await newSite(), await newSite()];
    const admin = await newBrowser(service, "participant-admin", bob.accountId);
    for (const id of [firstOf(anna).siteId, "site_none"])
      for (const dry_run of [true, false]) {
        const call = { params: { id }, body, query: { dry_run } };
        expectError(await admin.console(participantConsole.importOwnMeterData, call), 404, /^No such site/);
      }
    const missing = { params: { id: "site_none" }, body };
    expectError(await service.operator(operator.importMeterData, missing), 404, /^No such site/);
    expect(await storedRows(anna)).toBe(0);
  });

  test("may not only be allowed to read", async () => {
    const anna = await newSite();
    const call = { params: { id: firstOf(anna).siteId }, body };
    const viewer = await newBrowser(service, "participant-viewer", anna.accountId);
    expectError(
      await viewer.console(participantConsole.importOwnMeterData, call),
      404,
      /for the role participant-viewer/,
    );
    const auditor = await newBrowser(service, "auditor");
    expectError(await auditor.operator(operator.importMeterData, call), 404, /for the role auditor/);
    const person = await newBrowser(service, "operator");
    expect((await person.operator(operator.importMeterData, call)).status).toBe(200);
    expect(await storedRows(anna)).toBe(1);
  });
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
