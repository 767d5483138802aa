import { operator, participantConsole } from "@curtail/contract";
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
import { dispatchBetween, measuredProgram, performanceOf, untilVersions } from "../../support/measuring.js";
import { firstOf, kwReading, upload } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";
import type { Participant } from "../../support/running.js";

beforeAll(prepare);

const storedRows = async (participant: Participant): Promise<number> => {
  const { rows } = await service.database.pool.query(
    `select count(*) as count from telemetry_hours join sites on sites.key = telemetry_hours.site where sites.id = $1`,
    [firstOf(participant).siteId],
  );
  return Number(rows[0].count);
};

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

describe("the file that the energy of a site is downloaded as", () => {
  test("can be imported into that site again", async () => {
    const { site, file } = await downloaded(["main", "main", "Main"]);
    const before = await energyOf(site, DAY);
    expect((await imported(site, file)).intervals).toBe(3 * 288);
    expect(await energyOf(site, DAY)).toEqual(before);
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

describe("the meter of a series", () => {
  test("is that of its name, or of its id", async () => {
    const anna = await newSite(["main", "roof"]);
    const [main, roof] = anna.sites[0]?.meters ?? [];
    const result = await imported(anna, TWO_SERIES.replace("other", roof ?? ""), { dry_run: true });
    expect(result.series.map(({ meter_id, meter_name }) => [meter_id, meter_name])).toEqual([
      [main, "main"],
      [roof, "roof"],
    ]);
  });

  test("must be chosen otherwise, unless there is one of each", async () => {
    expect(await messages(await newSite(["main", "roof"]), TWO_SERIES)).toEqual([
      'the series "other": the site has no meter of this name; choose its meter with series, or leave it out with none',
    ]);
    expect(await messages(await newSite(["main", "main"]), TWO_SERIES)).toEqual([
      'the series "main": the site has several meters of this name; choose its meter with series, or leave it out with none',
      expect.stringMatching(/^the series "other"/),
    ]);
    expect(await messages(await newSite(["roof"]), csv("2026-06-01T00:05:00Z,1"), { interval_seconds: 300 })).toEqual(
      [],
    );
  });
});

describe("a table of a utility", () => {
  test("is shown with its mapping, reasons, doubts and first lines, and imported as the answers state", async () => {
    const anna = await newSite();
    const query = { dry_run: true, timezone: "Europe/Berlin" } as const;
    const open = await imported(anna, UTILITY_TABLE, query);
    expect(open.doubts?.map(({ member }) => member)).toEqual(["time.format", "time.label"]);
    expect(open.fault_count).toBe(2);
    expect(open.mapping).toMatchObject({ delimiter: ";", decimal: ",", time: { columns: [1], zone: "Europe/Berlin" } });
    expect(open.reasons).toContain("cells are separated by semicolons");
    expect(open.first_lines?.slice(0, 2)).toEqual([
      ["Zeit", "Verbrauch (kWh)"],
      ["06.05.2026 00:00", "0,5"],
    ]);
    expectError(
      await send(anna, UTILITY_TABLE, { timezone: "Europe/Berlin" }),
      400,
      /line 2: "06.05.2026 00:00": is the day or the month first\?/,
    );
    expect(await storedRows(anna)).toBe(0);

    const mapping = JSON.stringify({ time: { format: "day_first", label: "start" } });
    const preview = await imported(anna, UTILITY_TABLE, { ...query, mapping });
    expect(preview).toMatchObject({ fault_count: 0, doubts: [], header: open.header, intervals: 3 });
    const stored = await imported(anna, UTILITY_TABLE, { timezone: "Europe/Berlin", mapping });
    expect(stored.first_lines).toBeUndefined();
    expect(stored.series).toMatchObject([{ start_time: "2026-05-05T22:00:00Z", energy_kwh: 4.5 }]);
    // What was answered is a mapping as a whole: sent back, it reads the same.
    const whole = JSON.stringify(preview.mapping);
    expect(await imported(anna, UTILITY_TABLE, { ...query, mapping: whole })).toMatchObject({
      mapping: preview.mapping,
      intervals: 3,
    });
  });
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
