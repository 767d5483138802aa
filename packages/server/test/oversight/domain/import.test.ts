import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Existing, type ImportFile, planImport, readImport } from "../../../src/oversight/domain/import.js";
import { importColumns, MAX_IMPORT_LINES, type Table } from "../../../src/oversight/domain/import-lines.js";
import { meterOutcome, outcomeOf } from "../../../src/oversight/domain/import-site.js";
import type { Program } from "../../../src/portfolio/domain/program.js";
import { assetTypes, kwhMeansOfNew, type Site } from "../../../src/portfolio/domain/site.js";

const createdAt = new Date("2026-07-01T00:00:00Z");
const program = (name: string): Program => ({
  id: `prg_${name}`,
  name,
  timezone: "UTC",
  market: "",
  programType: "capacity",
  scheduleCutoffSeconds: 0,
  openadr: null,
  baseline: null,
  holidays: [],
  statusLimits: null,
  testsAreEvents: true,
  correctionsDays: null,
  holidayCalendar: null,
  longestOpenHours: 24,
  isPublic: false,
  isSimulated: false,
  createdAt,
});
const nothing: Existing = {
  accounts: [],
  programNames: ["Peak", "Reserve"],
  programs: ["Peak", "Reserve"].map((name) => ({ program: program(name), enrolments: [] })),
};

const tableOf = (...rows: ReadonlyArray<Partial<Record<(typeof importColumns)[number], string>>>): Table => ({
  header: importColumns,
  rows: rows.map((row, at) => ({
    line: at + 2,
    cells: importColumns.map((column) => ({ account: "A", site: "S", meter: "m", ...row })[column] ?? ""),
  })),
});

const wide = (cells: number): Table => ({ header: Array.from({ length: cells }, (_, at) => `c${at}`), rows: [] });
const many = (count: number): Table => tableOf(...Array.from({ length: count }, (_, at) => ({ site: `S${at}` })));

const allSteps = <T>(work: Generator<undefined, T>): T => {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
};

const read = (table: Table): ImportFile => allSteps(readImport(table));
const plan = (table: Table, existing: Existing = nothing) => allSteps(planImport(read(table), existing));
const faultsOf = (table: Table, existing?: Existing) =>
  plan(table, existing).faults.map(({ line, column, message }) => `${line} ${column}: ${message}`);

let ids = 0;

/** What exists after a plan was carried out. */
const carriedOut = (table: Table, existing: Existing): Existing => {
  const { accounts } = plan(table, existing);
  const enrolments = new Map(existing.programs.map((each) => [each.program.id, [...each.enrolments]]));
  const siteAfter = (accountId: string, planned: (typeof accounts)[0]["sites"][0]): Site => {
    const id = planned.before?.id ?? `site_${ids++}`;
    const kept = planned.before?.meters.filter((meter) => planned.meters.every(({ before }) => before !== meter)) ?? [];
    const meters = planned.meters.map(({ name, assetType, kwhMeans }) => ({
      id: `${id}_${name}`,
      name,
      assetType,
      kwhMeans: kwhMeans ?? kwhMeansOfNew(assetType),
    }));
    if (planned.enrolment !== null) {
      const { after } = planned.enrolment;
      const others = enrolments.get(after.programId)?.filter(({ siteId }) => siteId !== id) ?? [];
      enrolments.set(after.programId, [...others, { ...after, siteId: id }]);
    }
    return {
      id,
      accountId,
      createdAt,
      displayedSince: null,
      measuredMeters: null,
      isSimulated: false,
      ...planned.after,
      meters: [...kept, ...meters],
    };
  };
  const changed = accounts.map(({ name, before, sites }) => {
    const account = before ?? {
      id: `acc_${name}`,
      name,
      disabled: false,
      language: null,
      isSimulated: false,
      createdAt,
    };
    const old = existing.accounts.find((each) => each.account === before)?.sites ?? [];
    const untouched = old.filter((site) => sites.every((planned) => planned.before !== site));
    return { account, sites: [...untouched, ...sites.map((site) => siteAfter(account.id, site))] };
  });
  const others = existing.accounts.filter(({ account }) => accounts.every(({ before }) => before !== account));
  const programs = existing.programs.map((each) => ({ ...each, enrolments: enrolments.get(each.program.id) ?? [] }));
  return { ...existing, accounts: [...others, ...changed], programs };
};

const name = fc.constantFrom("a", "b", "c");
const tables = fc
  .array(
    fc.record({
      account: name,
      site: name,
      customer_location_id: fc.constantFrom("", "", "1", "2", "3"),
      dispatch_group: fc.constantFrom("", "g"),
      timezone: fc.constantFrom("", "Europe/Berlin"),
      meter: fc.constantFrom("m1", "m2", "m3"),
      asset_type: fc.constantFrom("", ...assetTypes),
      program: fc.constantFrom("", "Peak"),
      place: fc.constantFrom(["", ""], ["52.52", "13.405"], ["-33.8688197", "+151.2092955"]),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((rows) =>
    tableOf(...rows.map(({ place: [latitude = "", longitude = ""], ...row }) => ({ ...row, latitude, longitude }))),
  );

describe("a plan", () => {
  test("that was carried out has nothing left to do, whatever was there before", () => {
    let used = 0;
    fc.assert(
      fc.property(tables, tables, (first, second) => {
        const before = plan(first).faults.length === 0 ? carriedOut(first, nothing) : nothing;
        if (plan(second, before).faults.length > 0) return;
        used++;
        const again = plan(second, carriedOut(second, before));
        expect(again.faults).toEqual([]);
        for (const account of again.accounts) {
          expect(account.before).not.toBeNull();
          for (const site of account.sites) {
            const enrolled = site.enrolment === null ? [] : [outcomeOf(site.enrolment)];
            expect([outcomeOf(site), ...site.meters.map(meterOutcome), ...enrolled]).toSatisfy((outcomes: string[]) =>
              outcomes.every((outcome) => outcome === "existing"),
            );
          }
        }
      }),
      { numRuns: propertyRuns(50) },
    );
    expect(used).toBeGreaterThan(25);
  });

  test("takes no simulated account into a program of real sites, nor a real one into the simulated program", () => {
    const simulated = { id: "acc_sim", name: "Sim", disabled: false, language: null, isSimulated: true, createdAt };
    const there = {
      ...nothing,
      accounts: [{ account: simulated, sites: [] }],
      programs: [program("Peak"), { ...program("Reserve"), isSimulated: true }].map((each) => ({
        program: each,
        enrolments: [],
      })),
    };
    const enrolling = (account: string, name: string) => faultsOf(tableOf({ account, program: name }), there);
    expect([enrolling("Sim", "Reserve"), enrolling("A", "Peak")]).toEqual([[], []]);
    for (const [account, name] of [
      ["Sim", "Peak"],
      ["A", "Reserve"],
    ] as const)
      expect(enrolling(account, name)).toEqual([expect.stringMatching(/^2 program: Enrol simulated sites in/)]);
  });

  test("has every line in it once, where there is no fault", () => {
    fc.assert(
      fc.property(tables, (table) => {
        const { accounts, faults } = plan(table);
        if (faults.length > 0) return;
        const lines = accounts.flatMap(({ sites }) => sites.flatMap(({ meters }) => meters.map(({ line }) => line)));
        expect(lines.toSorted((a, b) => a - b)).toEqual(table.rows.map(({ line }) => line));
      }),
    );
  });

  test("is the same whatever the order of columns", () => {
    const order = fc.shuffledSubarray([...importColumns], { minLength: importColumns.length });
    fc.assert(
      fc.property(tables, order, (table, header) => {
        const moved = (cells: readonly string[]) => header.map((column) => cells[importColumns.indexOf(column)] ?? "");
        const rows = table.rows.map(({ line, cells }) => ({ line, cells: moved(cells) }));
        expect(plan({ header, rows })).toEqual(plan(table));
      }),
    );
  });

  test("is made of any cells at all, with a fault that names a line of the file", () => {
    const rows = fc.array(fc.array(fc.string(), { maxLength: 10 }), { maxLength: 5 });
    const header = fc.array(fc.oneof(fc.constantFrom(...importColumns), fc.string()), { maxLength: 10 });
    fc.assert(
      fc.property(header, rows, (header, rows) => {
        const table = { header, rows: rows.map((cells, at) => ({ line: at + 2, cells })) };
        for (const { line } of plan(table).faults)
          expect(line).toSatisfy((at: number) => at >= 1 && at <= rows.length + 1);
      }),
    );
  });
});

describe("a fault", () => {
  test("of every line is told, with its column and what to do", () => {
    const bad = tableOf(
      { account: "" },
      { timezone: "+02:00", asset_type: "loads" },
      { site: "x".repeat(201), meter: "a\u0007b" },
      { commitment_kw: "5" },
      { program: "Peak", commitment_kw: "10000000.1" },
      { program: "Peak", commitment_kw: "12,5" },
      { program: "Other", meter: "m7" },
      { meter: "m8", latitude: "90.1", longitude: "180" },
      { meter: "m9", latitude: "-90", longitude: "1e2" },
      { meter: "m10", latitude: "52.5" },
      { meter: "m11", longitude: "13.4" },
    );
    expect(faultsOf(bad)).toEqual([
      "2 account: is empty; name the account",
      expect.stringMatching(/^3 timezone: is "\+02:00"; give an IANA/),
      expect.stringMatching(/^3 asset_type: is "loads"; give one of load,/),
      expect.stringMatching(/^4 site: is longer than 200/),
      expect.stringMatching(/^4 meter: contains a control character/),
      expect.stringMatching(/^5 program: is empty, but/),
      expect.stringMatching(/^6 commitment_kw: .* give kW from 0 to 10000000/),
      expect.stringMatching(/^7 commitment_kw: is "12,5"/),
      expect.stringMatching(/^8 program: there is no program "Other"; create it/),
      expect.stringMatching(/^9 latitude: is "90.1"; give degrees from -90 to 90/),
      expect.stringMatching(/^10 longitude: is "1e2"; give degrees from -180 to 180/),
      "11 longitude: is empty, but latitude is set; give both, or neither",
      "12 latitude: is empty, but longitude is set; give both, or neither",
    ]);
  });

  test("is a header with a column that is unknown, missing or there twice, and a line of another length", () => {
    const cells = ["A", "S", "m"];
    expect(faultsOf({ header: ["account", "site", "site", "metre"], rows: [{ line: 2, cells }] })).toEqual([
      expect.stringMatching(/^1 metre: unknown column/),
      expect.stringMatching(/^1 site: this column appears twice/),
      expect.stringMatching(/^1 customer_location_id: this column is missing/),
      expect.stringMatching(/^1 dispatch_group: /),
      expect.stringMatching(/^1 timezone: /),
      expect.stringMatching(/^1 meter: /),
      expect.stringMatching(/^1 asset_type: /),
    ]);
    expect(faultsOf({ header: importColumns, rows: [{ line: 2, cells }] })).toEqual([
      expect.stringMatching(/^2 null: the line has 3 cells and the header 12/),
    ]);
  });

  test("is one for the whole header where that is of another kind of file", () => {
    expect(faultsOf(wide(24)).length).toBeGreaterThan(20);
    expect(faultsOf(wide(25))).toEqual([
      expect.stringMatching(/^1 null: the header has 25 cells; it must name each of/),
    ]);
  });

  test("is what the lines of a site do not agree on, and a meter that is there twice", () => {
    const rows = [
      { timezone: "UTC", program: "Peak", commitment_kw: "5" },
      { meter: "b", timezone: "Europe/Berlin", program: "Peak", commitment_kw: "6" },
      { meter: "b" },
    ];
    expect(faultsOf(tableOf(...rows))).toEqual([
      expect.stringMatching(/^3 timezone: is "Europe\/Berlin", but "UTC" on line 2/),
      expect.stringMatching(/^3 commitment_kw: is "6", but "5" on line 2/),
      expect.stringMatching(/^4 meter: already appears on line 3 for the same site/),
    ]);
  });

  test("is a line that could mean one site or another", () => {
    expect(faultsOf(tableOf({ customer_location_id: "1" }, { meter: "b" }))).toEqual([
      expect.stringMatching(/^3 customer_location_id: is empty, but line 2/),
    ]);
    const twins = carriedOut(tableOf({ customer_location_id: "1" }, { customer_location_id: "2" }), nothing);
    expect(faultsOf(tableOf({}), twins)).toEqual([expect.stringMatching(/^2 site: the account has several/)]);
    const plain = carriedOut(tableOf({}), nothing);
    expect(faultsOf(tableOf({ customer_location_id: "1" }, { customer_location_id: "2" }), plain)).toEqual([
      expect.stringMatching(/^3 site: is site_\S+, the same site as on line 2/),
    ]);
  });

  test("is a name that several accounts or programs have", () => {
    const { accounts } = carriedOut(tableOf({}), nothing);
    expect(faultsOf(tableOf({}), { ...nothing, accounts: [...accounts, ...accounts] })).toEqual([
      expect.stringMatching(/^2 account: there are 2 accounts with this name/),
    ]);
    const programs = [...nothing.programs, ...nothing.programs];
    expect(faultsOf(tableOf({ program: "Peak" }), { ...nothing, programs })).toEqual([
      expect.stringMatching(/^2 program: there are 2 programs with this name/),
    ]);
  });

  test("is one line more than an import takes", () => {
    expect(faultsOf(many(MAX_IMPORT_LINES))).toEqual([]);
    expect(faultsOf(many(MAX_IMPORT_LINES + 1))).toEqual([
      expect.stringMatching(/^1 null: the file has more than 2000 lines/),
    ]);
    expect(faultsOf(many(0))).toEqual([expect.stringMatching(/^1 null: there are no lines below the header/)]);
  });
});
