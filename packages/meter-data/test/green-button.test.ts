import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BASE,
  block,
  energyType,
  entry,
  feed,
  meterReading,
  type Read,
  readingType,
} from "./support/green-button-file.js";
import { faultsOf, readFile, rowsOf, summary } from "./support/read-file.js";

const point = (id = "A1", kind = 0): string =>
  entry(
    { self: [`${BASE}/${id}`], up: [BASE], related: [`${BASE}/${id}/MeterReading`] },
    "Front meter",
    `<UsagePoint xmlns="http://naesb.org/espi"><ServiceCategory><kind>${kind}</kind></ServiceCategory></UsagePoint>`,
  );

const two: readonly Read[] = [
  { at: 0, value: 250 },
  { at: 900, value: 500 },
];
const typed = (members: Readonly<Record<string, number>>, readings = two): ReturnType<typeof readFile> =>
  readFile(feed(point(), meterReading(), readingType(members), block(readings)));

const unlinked = (text: string) => text.replaceAll(/<link[^>]*>/g, "");

describe("a feed", () => {
  test("joins blocks, meter reading, type and usage point by their links, in any order", () => {
    const entries = [block(two), readingType(), point(), meterReading()];
    for (const order of [entries, entries.toReversed()]) {
      const data = readFile(feed(...order));
      expect(faultsOf(data)).toEqual([]);
      expect(data).toMatchObject({ format: "green_button", leftOut: [] });
      expect(data.series[0]).toMatchObject({ name: "A1/01", description: "Front meter, Consumption", unit: "Wh" });
      expect(rowsOf(data)).toEqual([
        ["2026-06-01T00:00:00.000Z", 900, 1],
        ["2026-06-01T00:15:00.000Z", 900, 2],
      ]);
    }
  });

  test("may have several usage points, several blocks, prefixes and comments", () => {
    const text = feed(
      point(),
      point("B2"),
      meterReading(),
      meterReading("02", "08", "B2"),
      readingType(),
      readingType(energyType, "08"),
      block([{ at: 86_400, value: 10 }]),
      block(two),
      block([{ at: 0, value: 40 }], "02", "B2"),
    );
    const prefixed = text
      .replaceAll(/<(\/?)(IntervalBlock|IntervalReading|timePeriod|duration|start|value|interval)\b/g, "<$1e:$2")
      .replaceAll("<e:IntervalBlock xmlns=", "<!-- a day --><e:IntervalBlock xmlns:e=");
    for (const each of [text, prefixed]) {
      const data = readFile(each);
      expect(faultsOf(data)).toEqual([]);
      expect(data.series.map(({ name }) => name)).toEqual(["A1/01", "B2/02"]);
      expect(summary(data)).toMatchObject({ intervals: 3, missing: 94, energyKwh: 0.76 });
      expect(summary(data, 1).energyKwh).toBe(0.04);
    }
  });

  test("without links is read if there is one of each, also without a meter reading", () => {
    const data = readFile(unlinked(feed(point(), meterReading(), readingType(), block(two))));
    expect(faultsOf(data)).toEqual([]);
    expect(summary(data).energyKwh).toBe(0.75);
    const bare = readFile(unlinked(feed(readingType(), block(two))));
    expect(bare.series.map(({ name }) => name)).toEqual(["Type"]);
    const unclear = readFile(unlinked(feed(meterReading(), meterReading("02"), readingType(), block(two))));
    expect(faultsOf(unclear)).toEqual([
      "6: the links of this IntervalBlock lead to no MeterReading of the file; get the whole feed",
    ]);
  });
});

describe("a value", () => {
  test.for([
    [{ ...energyType }, 250, 1],
    [{ ...energyType, powerOfTenMultiplier: 3 }, 250, 1000],
    [{ ...energyType, powerOfTenMultiplier: -3 }, 250_000, 1],
    [{ ...energyType, flowDirection: 19 }, 250, -1],
    [{ ...energyType, flowDirection: 4 }, -250, -1],
    [{ uom: 38, accumulationBehaviour: 6 }, 250, 0.25],
    [{ uom: 38, accumulationBehaviour: 12, powerOfTenMultiplier: 3 }, 250, 250],
    [{ uom: 72 }, 250, 1],
  ] as const)("of %j: %f is %f kW", ([type, value, kw]) => {
    const data = typed(type, [{ at: 0, value }]);
    expect(faultsOf(data)).toEqual([]);
    expect(rowsOf(data)).toEqual([["2026-06-01T00:00:00.000Z", 900, kw]]);
  });

  test.for([
    [{ ...energyType, uom: 73 }, "its unit is VArh (uom 73)"],
    [{ ...energyType, uom: 169 }, "its unit is therm (uom 169)"],
    [{}, "its unit is another (uom missing)"],
    [{ ...energyType, accumulationBehaviour: 1 }, "its values are bulk quantity (accumulationBehaviour 1)"],
    [{ ...energyType, accumulationBehaviour: 3 }, "its values are cumulative (accumulationBehaviour 3)"],
    [{ uom: 38, accumulationBehaviour: 4 }, "its values are delta data (accumulationBehaviour 4)"],
    [{ ...energyType, flowDirection: 20 }, "its flow is neither forward, reverse nor net (flowDirection 20)"],
    [{ uom: 38, accumulationBehaviour: 6, dataQualifier: 8 }, "its values are a maximum or minimum (dataQualifier 8)"],
  ] as const)("of %j is left out: %s", ([type, reason]) => {
    const data = typed(type);
    expect(data.series).toEqual([]);
    expect(data.leftOut).toEqual([{ name: "A1/01", line: 4, reason }]);
    expect(faultsOf(data)).toEqual([`1: the file has no load or export: "A1/01" is left out because ${reason}`]);
  });

  test("of gas is left out, and of a type that is not in the file", () => {
    expect(readFile(feed(point("A1", 1), meterReading(), readingType(), block(two))).leftOut[0]?.reason).toBe(
      "its service is not electricity (ServiceCategory 1)",
    );
    expect(readFile(feed(point(), meterReading(), block(two))).leftOut[0]?.reason).toBe(
      "its ReadingType is not in the file",
    );
  });

  test("with a fault is none of the file if its series is left out, as gas with a decimal start", () => {
    const gas = block(
      [{ at: 0.5, value: "x" }, ...Array.from({ length: 30 }, (_, at) => ({ at: at + 0.5, value: 1 }))],
      "01",
      "G1",
    );
    const power = [point(), meterReading(), readingType(), block(two)];
    const data = readFile(feed(point("G1", 1), meterReading("01", "07", "G1"), gas, ...power));
    expect(faultsOf(data)).toEqual([]);
    expect(data.leftOut.map(({ name }) => name)).toEqual(["G1/01"]);
    expect(summary(data).intervals).toBe(2);
    const wrong = readFile(feed(point("G1"), meterReading("01", "07", "G1"), readingType(), gas));
    expect(wrong.faults).toHaveLength(21);
    expect(faultsOf(wrong).at(-1)).toMatch(/and 11 more faults of this IntervalBlock|start of an IntervalReading/);
    expect(faultsOf(wrong).join()).toMatch(/and 11 more faults of this IntervalBlock/);
  });

  test.for([
    [[0], false],
    [[17, 19], false],
    [[8], true],
    [[0, 9], true],
    [[7], true],
  ] as const)("of quality %j is estimated: %s", ([quality, isEstimated]) => {
    const data = typed(energyType, [{ at: 0, value: 250, quality }]);
    expect(rowsOf(data)[0]?.[3] === true).toBe(isEstimated);
  });
});

const twice = (value: number) => typed(energyType, [...two, { at: 900, value }]);

describe("an interval", () => {
  test("without a duration has that of its type", () => {
    const data = typed({ ...energyType, intervalLength: 1800 }, [{ at: 0, value: 500, seconds: "" }]);
    expect(rowsOf(data)).toEqual([["2026-06-01T00:00:00.000Z", 1800, 1]]);
    expect(faultsOf(typed(energyType, [{ at: 0, value: 500, seconds: "" }]))).toEqual([
      "7: an interval has 0 s; it must be a multiple of 30 s",
    ]);
  });

  test.for([
    [{ at: 0, value: "" }, '7: the value of an IntervalReading is ""; give a number'],
    [{ at: 0, value: "x" }, '7: the value of an IntervalReading is "x"; give a number'],
    [{ at: Number.NaN, value: 1 }, '7: the start of an IntervalReading is "NaN"; give whole Unix seconds'],
    [{ at: 0, value: 1, seconds: 86_400 }, /^7: an interval has 86400 s; intervals longer than an hour/],
    [{ at: 0, value: 1, seconds: 1.5 }, '7: the duration of an IntervalReading is "1.5"; give whole seconds'],
  ] as const)("that is wrong is a fault with its line: %j", ([read, fault]) => {
    const [found] = faultsOf(typed(energyType, [read]));
    if (typeof fault === "string") expect(found).toBe(fault);
    else expect(found).toMatch(fault);
  });

  test("that is there twice counts once; with another value it is a fault", () => {
    expect(summary(twice(500))).toMatchObject({ intervals: 2, energyKwh: 0.75 });
    expect(faultsOf(twice(501))).toEqual([
      "9: the interval of A1/01 that begins at 2026-06-01T00:15:00.000Z overlaps the one on line 8, and is not the same; remove one of them",
    ]);
  });
});

describe("XML", () => {
  const good = feed(point(), meterReading(), readingType(), block(two));

  test("that is cut off, or not well-formed, is a fault with its line", () => {
    expect(faultsOf(readFile(good.slice(0, -20)))).toEqual([
      expect.stringMatching(/^\d+: the XML is not well-formed \(.*\); get the file again$/),
    ]);
    expect(faultsOf(readFile(good.replace("</value>", "</valve>")))[0]).toMatch(/^7: the XML is not well-formed/);
    expect(faultsOf(readFile(good.replace("<value>", "<value>&euro;")))[0]).toMatch(/^7: the XML is not well-formed/);
  });

  test("with a document type is refused, whatever it declares", () => {
    for (const declared of [
      "<!DOCTYPE feed>",
      '<!DOCTYPE feed [<!ENTITY a "aaaa">]>',
      '<!DOCTYPE feed SYSTEM "file:///etc/passwd">',
    ])
      expect(faultsOf(readFile(good.replace("?>\n", `?>\n${declared}\n`)))).toEqual([
        "2: the file has a document type declaration; send it without",
      ]);
  });

  test("that is no feed, or nested or attributed without end, is refused", () => {
    expect(faultsOf(readFile('<a xmlns="http://naesb.org/espi"/>'))).toEqual([
      "1: the file is no Green Button: its first element must be the feed of Atom",
    ]);
    expect(faultsOf(readFile(good.replace("<entry>", "<entry>".repeat(40))))[0]).toMatch(/more than 32 levels/);
    const attributes = Array.from({ length: 100 }, (_, index) => ` a${index}=""`).join("");
    expect(faultsOf(readFile(good.replace("<entry>", `<entry${attributes}>`)))[0]).toMatch(/more than 64 attributes/);
  });

  test("reads the same in pieces of any length", () => {
    const whole = readFile(good, {}, 100_000);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (bytes) => {
        expect(readFile(good, {}, bytes)).toEqual(whole);
      }),
    );
  });
});

describe("a file that takes long or much memory", () => {
  test.for([
    ["self", "a/".repeat(33), "3: a link has more than 32 levels; those of Green Button have 14"],
    ["up", "/".repeat(1000) + "a", "3: a link has more than 32 levels; those of Green Button have 14"],
    ["related", "a".repeat(2001), "3: a link has more than 2000 characters; get the file again"],
  ] as const)("has no link (%s) that is deeper or longer than anybody writes", ([rel, href, fault]) => {
    expect(faultsOf(readFile(feed(`<entry>\n<link rel="${rel}" href="${href}"/></entry>`)))).toEqual([
      expect.stringContaining(fault.slice(2)),
    ]);
  });

  test("has at most 100 related links an entry, and no text, name or comment of more than 200,000 characters", () => {
    expect(faultsOf(readFile(feed(`<entry>${'<link rel="related" href="a"/>'.repeat(101)}</entry>`)))).toEqual([
      expect.stringMatching(/more than 100 related links/),
    ]);
    const long = "a".repeat(300_000);
    for (const part of [
      long,
      `<${long}/>`,
      `<a b="${long}"/>`,
      `<!--${long}-->`,
      `<![CDATA[${long}]]>`,
      "<![CDATA[aaaa]]>".repeat(60_000),
    ])
      expect(faultsOf(readFile(feed(`<entry><title>${part}</title></entry>`), {}, 65_536))).toEqual([
        expect.stringMatching(/a text, name or comment of more than 200000 characters/),
      ]);
  });
});
