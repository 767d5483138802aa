import { readdirSync, readFileSync } from "node:fs";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type KeptProfile, type MeterData, profiles, type ReadOptions, shippedProfile } from "../src/index.js";
import { type Layout, type Load, midnightOf, written } from "./support/layout.js";
import { files, isEqual, verdictOf } from "./support/layout-check.js";
import { faultsOf, readFile, rowsOf } from "./support/read-file.js";

/** What a dry run says that lasts, kept under a name. */
const keptAs = (name: string, { table }: MeterData): KeptProfile => {
  if (table === null) throw new Error("the file has no table");
  return { name, header: table.header, mapping: table.lasting };
};

const LEAST_RUNS = 4;
const RUNS = propertyRuns(LEAST_RUNS, { atMost: 200 });
const LIMIT_MS = 120_000;
const JUNE = Date.parse("2026-06-15T00:00:00Z");

/** Two days of the same meters in June, whose clocks do not change. */
const nextLoad = ({ zone, minutes, energies }: Load, seed: number): Load => ({
  zone,
  minutes,
  startMs: midnightOf(zone, JUNE),
  energies: energies.map((_, meter) =>
    Array.from(
      { length: 2880 / minutes },
      (_, at) => (((at + 1) * 7919 + meter * 104_729 + seed * 31) % 40_000) / 1000,
    ),
  ),
});

test(
  "a file of a layout whose mapping is kept is read by it, whatever stands above its header, with the same energy in every hour",
  () => {
    let [tried, used] = [0, 0];
    const titles = fc.constantFrom<Layout["titles"]>(0, 1, 2, 3);
    fc.assert(
      fc.property(files, files, titles, fc.boolean(), fc.nat(999), (file, other, count, hasComment, seed) => {
        tried += 1;
        const first = verdictOf(file.layout, file.load);
        const second = verdictOf(other.layout, other.load);
        if (first.verdict === "refused" || second.verdict === "refused") return;
        const kept = [keptAs("this", first.data), keptAs("other", second.data)];
        const load = nextLoad(file.load, seed);
        const text = written({ ...file.layout, titles: count, hasComment }, load);
        const isSame = kept[0]?.header === kept[1]?.header;
        const read = readFile(text, { kept }, 65_536);
        const why = `${text.slice(0, 800)}\n${JSON.stringify([kept, read.table?.mapping, read.faults.slice(0, 3)])}`;
        expect(read.table?.profile, why).toEqual({ name: "this", chosenBy: "header", others: isSame ? ["other"] : [] });
        expect(faultsOf(read), why).toEqual([]);
        expect(isEqual(read, load), why).toBe(true);
        used += 1;
      }),
      { numRuns: RUNS },
    );
    // A long search ends early on a busy machine: the share of fewer files than a short one tries would be chance.
    if (tried >= LEAST_RUNS) expect(used).toBeGreaterThan(tried / 2);
  },
  LIMIT_MS,
);

const file = (header: string, from = "2026-06-13", ...titles: readonly string[]): string =>
  [...titles, header, ...["00:00", "00:15", "00:30"].map((time, at) => `${from} ${time};${at + 1},5;${at}`)].join("\n");
const usage = "Zeit;Verbrauch (kWh);Netz (kWh)";

const profile = (name: string, mapping: KeptProfile["mapping"], header: string | null = null): KeptProfile => ({
  name,
  header,
  mapping,
});

const stated = { time: { format: "year_first", label: "start", zone: "Europe/Berlin" }, decimal: "," } as const;
const headerOf = (text: string, options: ReadOptions = {}): string => readFile(text, options).table?.header ?? "";

describe("of several kept profiles", () => {
  const kept = [
    profile("newest", { ...stated, values: [{ column: 3, unit: "kWh" }] }, headerOf(file(usage))),
    profile("older", { ...stated, values: [{ column: 2, unit: "kWh" }] }, headerOf(file(usage))),
    profile("another", stated, headerOf(file("Zeit;Bezug (kWh);Netz (kWh)"))),
  ];

  test("the first with the header is used, and the others with it are named", () => {
    const read = readFile(file(usage), { kept });
    expect(faultsOf(read)).toEqual([]);
    expect(read.table?.profile).toEqual({ name: "newest", chosenBy: "header", others: ["older"] });
    expect(read.table?.reasons.slice(0, 2)).toEqual([
      'the mapping is the profile "newest", which has the header of the file',
      'the profile "older" has the same header, and is older',
    ]);
    expect(rowsOf(read).map(([, , kw]) => kw)).toEqual([0, 4, 8]);
  });

  test("none is used for a header that differs in a word, and case makes no difference", () => {
    expect(readFile(file("Zeit;Verbrauch (kW);Netz (kWh)"), { kept }).table?.profile).toBeNull();
    expect(readFile(file(usage.toUpperCase()), { kept }).table?.profile?.name).toBe("newest");
  });

  test("none is used for a file without a header, even one with as many columns", () => {
    const bare = file(usage).split("\n").slice(1).join("\n");
    const read = readFile(bare, { kept: [profile("bare", stated, headerOf(bare))] });
    expect(read.table?.profile).toBeNull();
    expect(read.table?.mapping.header_lines).toBe(0);
  });

  test("one whose header is where nothing but its mapping says is found there", () => {
    // Four columns of figures, named in a line that is not the nearest above them.
    const odd = ["Zeit;A;B", "Zone 1;Zone 2;Zone 3", ...file(usage).split("\n").slice(1)].join("\n");
    const place = { skip_lines: 0, header_lines: 2, delimiter: ";" } as const;
    const mapping = { ...stated, ...place, values: [{ column: 2, unit: "kWh" }] } as const;
    const known = headerOf(odd, { mapping });
    expect(known).not.toBe(headerOf(odd));
    const read = readFile(odd, { kept: [profile("odd", mapping, known)] });
    expect(faultsOf(read)).toEqual([]);
    expect(read.table).toMatchObject({ profile: { name: "odd" }, mapping: place });
  });

  test("one is used by its name although another has the header, which is said", () => {
    const read = readFile(file(usage), { profile: kept[2] });
    expect(read.table?.profile).toEqual({ name: "another", chosenBy: "name", others: [] });
    expect(read.table?.reasons.slice(0, 2)).toEqual([
      'the mapping is the profile "another", which is stated',
      "the header of the file is not that of the profile",
    ]);
  });
});

describe("beside a profile", () => {
  const one = profile("one", {
    ...stated,
    values: [{ column: 3, unit: "kWh" }, { column: 2 }],
    leave_out: { totals: false },
  });
  const mappingOf = (options: ReadOptions) => readFile(file(usage), { profile: one, ...options }).table?.mapping;

  test("members that are stated go before its own, one by one", () => {
    const found = mappingOf({
      mapping: { time: { label: "end" }, leave_out: { resets: true }, values: [{ unit: "Wh" }] },
    });
    expect(found).toMatchObject({
      time: { label: "end", format: "year_first", zone: "Europe/Berlin" },
      leave_out: { totals: false, resets: true },
      values: [
        { column: 3, unit: "Wh" },
        { column: 2, unit: "Wh" },
      ],
    });
  });

  test("columns that are stated are all there are", () => {
    expect(mappingOf({ mapping: { values: [{ column: 2, unit: "kW" }] } })?.values).toMatchObject([
      { column: 2, unit: "kW" },
    ]);
  });

  test("the time zone that is stated has to be the same, unless a mapping states it", () => {
    const read = (options: ReadOptions) => readFile(file(usage), { profile: one, ...options });
    expect(faultsOf(read({ timezone: "europe/berlin" }))).toEqual([]);
    expect(faultsOf(read({ timezone: "UTC" }))).toEqual([
      '1: the profile "one" has times in "Europe/Berlin", and the time zone "UTC" is stated; state that of the profile, or the zone of this file with mapping {"time":{"zone":"UTC"}} and the profile by its name',
    ]);
    expect(read({ mapping: { time: { zone: "UTC" } } }).table?.mapping.time.zone).toBe("UTC");
    const zoneless = { ...one, mapping: { ...one.mapping, time: { format: "year_first" } } } as const;
    expect(read({ profile: zoneless, timezone: "UTC" }).table?.mapping.time.zone).toBe("UTC");
  });
});

describe("a profile that does not fit any more", () => {
  test.for([
    [{ values: [{ column: 4, unit: "kWh" }] }, /takes the values of .* from column 4, and the file has 3 columns/],
    [{ time: { ...stated.time, columns: [7] } }, /takes the times from column 7, and the file has 3 columns/],
    [{ unit_column: 9 }, /takes the units from column 9, and the file has 3 columns/],
    [{ meter_columns: [1, 5] }, /takes the meters from column 5, and the file has 3 columns/],
  ] as const)("%o is named with its column", ([mapping, message]) => {
    const read = readFile(file(usage), { profile: profile("old portal", { ...stated, ...mapping }) });
    expect(faultsOf(read)).toEqual([expect.stringMatching(/^1: the profile "old portal" /)]);
    expect(faultsOf(read)).toEqual([expect.stringMatching(message)]);
    expect(faultsOf(read)).toEqual([
      expect.stringMatching(/; state another profile, or none to have the columns guessed$/),
    ]);
  });

  test("is named where no line can be read by it", () => {
    const read = readFile(file(usage), { profile: profile("commas", { ...stated, delimiter: "\t" }) });
    expect(faultsOf(read)).toEqual([
      '1: the profile "commas" does not fit: no line has a time and a value in its columns; state another profile, or none to have the columns guessed',
    ]);
  });
});

describe("a layout that ships", () => {
  const folder = new URL("../../../examples/meter-data/layouts/", import.meta.url);
  const samples = readdirSync(folder);

  test.for(profiles.map(({ name }) => name))("%s reads its sample by its name, below more titles too", (name) => {
    const sample = readFileSync(new URL(samples.find((each) => each.startsWith(`${name}.`)) ?? "", folder), "utf8");
    const timezone = name === "matrix-of-25-hours" ? "America/New_York" : "Europe/London";
    const profile = shippedProfile(` ${name.toUpperCase()}`) ?? undefined;
    const read = readFile(sample, { profile, timezone }, 1000);
    expect(read.table?.profile).toEqual({ name, chosenBy: "name", others: [] });
    expect(read.series).toEqual(readFile(sample, { timezone }, 1000).series);
    const below = readFile(`An export\n${sample}`, { profile, timezone }, 1000);
    expect([faultsOf(read), faultsOf(below)]).toEqual([[], []]);
    expect(below.series.map(({ name }) => name)).toEqual(read.series.map(({ name }) => name));
  });

  test("is not found by another name", () => {
    expect(shippedProfile("matrix")).toBeNull();
  });
});
