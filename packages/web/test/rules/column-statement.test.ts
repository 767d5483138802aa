import { readdirSync, readFileSync } from "node:fs";
import { type MeterData, MeterDataReader, type StatedMapping } from "@curtail/meter-data";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rolesFor } from "../../src/rules/column-places.js";
import {
  type ColumnRole,
  columnRoles,
  reasonsOf,
  roleDetail,
  roleOf,
  shortReason,
  whyOf,
} from "../../src/rules/column-role.js";
import { alike, sayAnswer, sayAnswers, sayColumn, sayValue } from "../../src/rules/column-statement.js";
import { asStated, type ColumnReading, type Doubt, isOpen, type Stated } from "../../src/rules/table-reading.js";

const layouts = new URL("../../../../examples/meter-data/layouts/", import.meta.url);
/** Their first lines: each role of each column is tried, and none of them needs more. */
const files = readdirSync(layouts).map((name) => {
  const lines = readFileSync(new URL(name, layouts), "utf8").split(/(?<=\n)/);
  return { name, text: lines.slice(0, 30).join("") };
});

const read = (text: string, stated: Stated = {}): MeterData => {
  const reader = new MeterDataReader({ mapping: withZone(stated) });
  reader.add(new TextEncoder().encode(text));
  const work = reader.finish();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
};

const withZone = (stated: Stated): StatedMapping => ({ ...stated, time: { zone: "Europe/Berlin", ...stated.time } });

/** As it comes over the wire. */
interface Read extends ColumnReading {
  readonly reasons: readonly string[];
  readonly lasting: Stated;
  readonly width: number;
}

const readingOf = ({ table }: MeterData): Read => {
  if (table === null) throw new Error("the file has no table");
  const { firstLines, mapping, doubts, reasons, lasting } = JSON.parse(JSON.stringify(table)) as Read & {
    readonly firstLines: readonly (readonly string[])[];
  };
  return { mapping, doubts, reasons, lasting, width: Math.max(...firstLines.map((cells) => cells.length)) };
};

const columnsOf = (width: number): number[] => Array.from({ length: width }, (_, at) => at + 1);
const rolesIn = (reading: ColumnReading, width: number) =>
  columnsOf(width).map((column) => roleOf(reading.mapping, column));

/** Values as names are too many meters, and empty cells none. */
const NO_METERS = "no meters";
const whyNot = ({ faults: [fault] }: MeterData): string =>
  /more than 500 meters|names no meter/.test(fault?.message ?? "") ? NO_METERS : (fault?.message ?? "");

/** What goes, or is something else, with a column: the date of the end is nothing without its clock time. */
const pairs: Partial<Record<ColumnRole, ColumnRole>> = {
  end_date: "end_clock",
  end_clock: "end_date",
  clock: "date",
  clock_range: "date",
};
const alone: Partial<Record<ColumnRole, ColumnRole>> = { date: "time" };

/** Every role of every column is tried: of all layouts in a long run. */
const layoutsTried = files.filter((_, at) => at % Math.max(1, Math.floor(files.length / propertyRuns(4))) === 0);

describe("a column of a shipped layout", () => {
  test.each(layoutsTried)("of $name is what it was said to be, whatever that is", ({ text }) => {
    const before = readingOf(read(text));
    const tried = columnsOf(before.width).flatMap((column) =>
      rolesFor(before, column).map((role) => {
        const stated = sayColumn(before, {}, column, role);
        const data = read(text, stated);
        return { column, role, is: data.table === null ? whyNot(data) : roleOf(readingOf(data).mapping, column) };
      }),
    );
    expect(tried.filter(({ role, is }) => role !== is && is !== NO_METERS)).toEqual([]);
  });

  test.each(files)("of $name leaves the others what they were, if it is not used any more", ({ text }) => {
    const before = readingOf(read(text));
    const roles = rolesIn(before, before.width);
    for (const column of columnsOf(before.width).filter((each) => rolesFor(before, each).includes("none"))) {
      const after = readingOf(read(text, sayColumn(before, {}, column, "none")));
      const role = roles[column - 1] ?? "none";
      const expected = roles.map((each, at) =>
        at === column - 1 || pairs[role] === each ? (alone[each] ?? "none") : each,
      );
      expect(rolesIn(after, before.width), `column ${column}`).toEqual(expected);
    }
  });
});

const membersOf = ({ doubts }: ColumnReading) => doubts.map(({ member }) => member);

describe("while the answer is still to come", () => {
  const RUNS = propertyRuns(10, { atMost: 100 });
  const steps = fc.array(fc.record({ column: fc.nat(), role: fc.nat() }), { minLength: 2, maxLength: 4 });

  test("each change of a column goes on from those before it", () => {
    let [tried, used] = [0, 0];
    fc.assert(
      fc.property(fc.constantFrom(...files), steps, ({ text, name }, changes) => {
        tried += 1;
        const first = readingOf(read(text));
        let [slow, quick]: [Stated, Stated] = [{}, {}];
        for (const { column: at, role: which } of changes) {
          const answer = read(text, quick);
          // As rows, a matrix has other columns: that is for the answer to show.
          if (answer.table === null || answer.table.mapping.layout !== first.mapping.layout) return;
          const shown = asStated(first, slow);
          const column = (at % first.width) + 1;
          const roles = rolesFor(shown, column);
          expect(roles, name).toEqual(rolesFor(readingOf(answer), column));
          const role = roles[which % roles.length];
          if (role === undefined) continue;
          slow = sayColumn(first, slow, column, role);
          quick = sayColumn(readingOf(answer), quick, column, role);
        }
        const [one, other] = [read(text, slow), read(text, quick)];
        expect(one.table === null, name).toBe(other.table === null);
        if (one.table === null || one.table.mapping.layout !== first.mapping.layout) return;
        expect(rolesIn(readingOf(one), first.width), name).toEqual(rolesIn(readingOf(other), first.width));
        expect(rolesIn(asStated(first, slow), first.width), name).toEqual(rolesIn(readingOf(one), first.width));
        used += 1;
      }),
      { numRuns: RUNS },
    );
    expect(used).toBeGreaterThan(tried / 2);
  });

  test("a unit, a kind and a sign go on from those before them", () => {
    const text = "timestamp,Main (kWh),Roof (kWh)\n2026-06-13T00:15:00Z,1,2\n2026-06-13T00:30:00Z,2,4\n";
    const first = readingOf(read(text));
    let stated = sayValue(first, {}, 3, { unit: "MWh" });
    stated = sayValue(first, stated, 3, { sign: "export" });
    stated = sayColumn(first, stated, 2, "none");
    stated = sayValue(first, stated, 3, { kind: "cumulative" });
    expect(stated.values).toEqual([{ column: 3, unit: "MWh", sign: "export", kind: "cumulative" }]);
    expect(asStated(first, stated).mapping.values).toMatchObject(stated.values ?? []);
    expect(asStated(first, sayValue(first, {}, 3, { unit: "kW" })).mapping.values[1]).toMatchObject({ kind: "power" });
  });

  test("questions that have an answer are not asked", () => {
    const first = readingOf(read(ambiguous));
    let stated: Stated = {};
    for (const doubt of first.doubts) {
      expect(membersOf(asStated(first, stated))).toContain(doubt.member);
      stated = sayAnswer(first, stated, doubt, String(doubt.member.endsWith("column") ? 2 : doubt.choices[0]?.value));
      expect(membersOf(asStated(first, stated))).not.toContain(doubt.member);
    }
    expect(membersOf(asStated(first, { values: [{ column: 3 }] }))).not.toContain("values[].unit");
  });
});

test("columns that leave open the same are answered at once, and those that do not are left as they are", () => {
  const header = ["Zeit", "Haus (MWh)", ...Array.from({ length: 60 }, (_, at) => `Strom ${at}`)];
  const rows = Array.from({ length: 3 }, (_, at) => [`2026-06-13 00:${at}0`, ...header.slice(1).map(() => at % 2)]);
  const text = [header, ...rows].map((cells) => cells.join(";")).join("\n");
  const stated: Stated = { time: { label: "start" }, values: header.slice(1).map((_, at) => ({ column: at + 2 })) };
  const reading = readingOf(read(text, stated));
  const groups = alike(reading.doubts);
  expect(groups.map((group) => [group[0]?.member, group.length])).toEqual([["values[].unit", 60]]);
  const next = readingOf(read(text, sayAnswers(reading, stated, groups[0] ?? [], "Wh")));
  expect(next.doubts).toEqual([]);
  expect(next.mapping.values.map(({ unit }) => unit)).toEqual(["MWh", ...Array.from({ length: 60 }, () => "Wh")]);
});

const ambiguous = ["Zeit;Eins;Zwei", "06.07.2026 00:00;1;7", "06.07.2026 00:15;2;5", "06.07.2026 00:30;1;6"].join("\n");

/** Answers the first question until none is left. */
const answered = (text: string, answerOf: (doubt: Doubt) => string | number): { stated: Stated; asked: string[] } => {
  let stated: Stated = {};
  const asked: string[] = [];
  for (let round = 0; round < 10; round++) {
    const reading = readingOf(read(text, stated));
    const [doubt] = reading.doubts;
    if (doubt === undefined) break;
    asked.push(`${doubt.member} ${doubt.column ?? ""}`.trim());
    stated = sayAnswer(reading, stated, doubt, answerOf(doubt));
  }
  return { stated, asked };
};

describe("questions", () => {
  test("are each settled by their answer, and asked once", () => {
    const answers: Record<string, string | number> = {
      "values[].column": 3,
      "time.format": "day_first",
      "time.label": "end",
      "values[].unit": "Wh",
    };
    const { stated, asked } = answered(ambiguous, ({ member }) => answers[member] ?? "");
    expect(asked.toSorted()).toEqual(["time.format", "time.label", "values[].column", "values[].unit 3"]);
    expect(read(ambiguous, stated)).toMatchObject({
      faultCount: 0,
      table: { mapping: { time: { format: "day_first", label: "end" }, values: [{ column: 3, unit: "Wh" }] } },
    });
  });

  test("about one column are no answer about another", () => {
    const text = ambiguous.replace("Eins;Zwei", "Strom;Strom 2");
    const stated: Stated = { values: [{ column: 2 }, { column: 3 }], time: { format: "day_first", label: "start" } };
    const reading = readingOf(read(text, stated));
    const [first, second] = reading.doubts;
    expect([first, second]).toMatchObject([
      { member: "values[].unit", column: 2 },
      { member: "values[].unit", column: 3 },
    ]);
    const next = readingOf(read(text, sayAnswer(reading, stated, first as Doubt, "kW")));
    expect(next.mapping.values).toMatchObject([{ unit: "kW", kind: "power" }, { column: 3 }]);
    expect([isOpen(next, "values[].unit", 2), isOpen(next, "values[].unit", 3)]).toEqual([false, true]);
    expect(roleDetail(next.mapping, 3, (member) => isOpen(next, member, 3))).toBe(
      "which unit?, energy of the interval",
    );
  });
});

test("a column that may be consumption or production is asked, and shown as open", () => {
  const text = "Start,Solar usage (kWh)\n2026-06-13 00:00,1\n2026-06-13 00:15,2\n2026-06-13 00:30,1\n";
  const reading = readingOf(read(text));
  expect(roleDetail(reading.mapping, 2, (member) => isOpen(reading, member, 2))).toBe(
    "kWh, energy of the interval, consumption or production?",
  );
  const doubt = reading.doubts.find(({ member }) => member === "values[].sign") as Doubt;
  const next = readingOf(read(text, sayAnswer(reading, {}, doubt, "load")));
  expect(next.mapping.values).toMatchObject([{ column: 2, sign: "load" }]);
  expect(isOpen(next, "values[].sign")).toBe(false);
});

describe("values", () => {
  const own =
    "timestamp,Main (kWh),Roof (kWh)\n2026-06-13T00:15:00Z,1,2\n2026-06-13T00:30:00Z,2,4\n2026-06-13T00:45:00Z,1,2\n";

  test("of Curtail's own files keep their ends when a column is left out", () => {
    const reading = readingOf(read(own));
    const data = read(own, sayColumn(reading, {}, 3, "none"));
    expect(data).toMatchObject({ faultCount: 0, series: [{ name: "Main" }] });
    expect(data.series[0]?.intervals.startMs[0]).toBe(Date.parse("2026-06-13T00:00:00Z"));
  });

  test("get a unit, a kind and a sign each for itself", () => {
    let reading = readingOf(read(own));
    let stated = sayValue(reading, {}, 3, { unit: "kW" });
    reading = readingOf(read(own, stated));
    stated = sayValue(reading, stated, 2, { sign: "export" });
    reading = readingOf(read(own, stated));
    expect(reading.mapping.values).toMatchObject([
      { column: 2, unit: "kWh", kind: "energy", sign: "export" },
      { column: 3, unit: "kW", kind: "power", sign: "load" },
    ]);
    // A register of energy is none of power.
    stated = sayValue(reading, stated, 2, { kind: "cumulative" });
    stated = sayValue(reading, stated, 2, { unit: "kW" });
    expect(readingOf(read(own, stated)).mapping.values[0]).toMatchObject({ unit: "kW", kind: "power" });
  });

  test("of a profile stay what it says of them when another column is stated", () => {
    const profile: Stated = {
      values: [{ column: 2, unit: "Wh", sign: "export" }, { column: 3 }],
      time: { label: "end" },
    };
    const reading = readingOf(read(own, profile));
    const kept = { ...reading, kept: reading.lasting.values };
    const { values } = sayColumn(kept, {}, 3, "none");
    expect(values).toEqual([{ column: 2, unit: "Wh", kind: "energy", sign: "export" }]);
    expect(readingOf(read(own, { ...profile, ...(values && { values }) })).mapping.values).toMatchObject([
      { column: 2, unit: "Wh", sign: "export" },
    ]);
  });

  test("of a profile that does not say what they are stay open", () => {
    const zeros = "Zeit;Haus (kWh);Netz (kWh)\n2026-06-13 00:00;0;1\n2026-06-13 00:15;0;2\n2026-06-13 00:30;0;1\n";
    const reading = readingOf(read(zeros, { time: { label: "start" } }));
    const { values } = sayColumn({ ...reading, kept: reading.lasting.values }, {}, 3, "none");
    expect(values).toEqual([{ column: 2, unit: "kWh" }]);
  });

  test("of a matrix get a unit and a sign, and stay one", () => {
    const text = files.find(({ name }) => name.startsWith("matrix-of-quarters"))?.text ?? "";
    const reading = readingOf(read(text));
    const stated = sayValue(reading, sayValue(reading, {}, null, { unit: "kW" }), null, { sign: "export" });
    expect(readingOf(read(text, stated)).mapping).toMatchObject({
      layout: "matrix",
      matrix: { columns: 96 },
      values: [{ unit: "kW", kind: "power", sign: "export" }],
    });
  });
});

describe("reasons", () => {
  test.each(files)("of $name that begin with a column are found at it", ({ text }) => {
    const { reasons, width } = readingOf(read(text));
    const found = new Set(columnsOf(width).flatMap((column) => reasonsOf(reasons, column, "")));
    expect([...found].toSorted()).toEqual(reasons.filter((reason) => /^columns? \d/.test(reason)).toSorted());
  });

  test("name every column once", () => {
    expect(reasonsOf(["column 1 and 12: the meter or stream of each line"], 2, "")).toEqual([]);
    expect(reasonsOf(["columns 3 to 98: a day of 15-minute intervals"], 50, "")).toHaveLength(1);
    expect(reasonsOf(['"End" is 60 s before the end of intervals'], 4, "End")).toHaveLength(1);
  });

  test.each([
    ['column 3 ("Use: a"): values in kWh, as its name says', "values in kWh, as its name says"],
    ["column 1 and 2: the meter or stream of each line", "the meter or stream of each line"],
    ["columns 3 to 98: a day of 15-minute intervals", "a day of 15-minute intervals"],
    ["column 2 (without a name): values", "values"],
    ['column 4 ("Peak") is left out: it is a maximum or minimum', "it is a maximum or minimum"],
    ["times are in UTC by the name of their column", "times are in UTC by the name of their column"],
  ])("%s, under the head of its column", (reason, short) => expect(shortReason(reason)).toBe(short));

  test("of the guess stay with columns that are what they were", () => {
    const text = files.find(({ name }) => name.startsWith("cumulative"))?.text ?? "";
    const guess = readingOf(read(text));
    const now = readingOf(read(text, sayColumn(guess, {}, 4, "none")));
    expect(whyOf(now, guess, 2, "Import T1 kWh")).toEqual(reasonsOf(guess.reasons, 2, "Import T1 kWh"));
    expect(whyOf(now, guess, 2, "")[0]).toMatch(/^column 2 /);
    expect(whyOf(now, guess, 4, "")).toEqual(["you said so"]);
  });

  test("every role has its place in the menu", () => expect(new Set(columnRoles).size).toBe(columnRoles.length));
});
