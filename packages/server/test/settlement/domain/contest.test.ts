import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contestsOf, type EnergyClaim } from "../../../src/settlement/domain/contest.js";

const claim = (dispatchId: string, first: number, last: number, rest: Partial<EnergyClaim> = {}): EnergyClaim => ({
  dispatchId,
  programName: `Program ${dispatchId}`,
  cells: { first, last },
  issuedMs: Number(dispatchId.replaceAll(/\D/g, "")),
  isEarlierRules: false,
  ...rest,
});

/** What each contested dispatch keeps, and to which it loses what. */
const keptBy = (...claims: EnergyClaim[]) =>
  Object.fromEntries(
    [...contestsOf(claims)].map(([id, { kept, shared }]) => [
      id,
      [
        kept.map(({ first, last }) => `${first}–${last}`).join(" "),
        shared
          .filter(({ isPaidHere }) => !isPaidHere)
          .map(({ dispatchId, cells }) => `${cells.first}–${cells.last} to ${dispatchId}`)
          .join(" "),
      ],
    ]),
  );

describe("of two dispatches over the same intervals", () => {
  test("the one issued first is paid, whichever starts first", () => {
    expect(keptBy(claim("d2", 1, 120), claim("d1", 61, 180))).toEqual({
      d1: ["61–180", ""],
      d2: ["1–60", "61–120 to d1"],
    });
  });

  test("the one within the other leaves both ends", () => {
    expect(keptBy(claim("d2", 1, 120), claim("d1", 41, 80))).toEqual({
      d1: ["41–80", ""],
      d2: ["1–40 81–120", "41–80 to d1"],
    });
  });

  test("an end that touches a start is no overlap", () => {
    expect(keptBy(claim("d1", 1, 120), claim("d2", 121, 240))).toEqual({});
  });

  test("an open one claims everything from its start on", () => {
    const open = claim("d1", 61, Number.POSITIVE_INFINITY);
    expect(keptBy(open, claim("d2", 1, 120))).toEqual({ d1: ["61–Infinity", ""], d2: ["1–60", "61–120 to d1"] });
    expect(keptBy(claim("d0", 61, 120), open)).toEqual({ d0: ["61–120", ""], d1: ["121–Infinity", "61–120 to d0"] });
  });

  test("two issued at once are ordered by their ids", () => {
    const at = { issuedMs: 7 };
    expect(keptBy(claim("d9", 1, 10, at), claim("d8", 1, 10, at))).toEqual({
      d8: ["1–10", ""],
      d9: ["", "1–10 to d8"],
    });
  });

  test("one of a month with earlier rules keeps what it was paid, though it was issued later", () => {
    expect(keptBy(claim("d1", 1, 10), claim("d2", 6, 15, { isEarlierRules: true }))).toEqual({
      d1: ["1–5", "6–10 to d2"],
      d2: ["6–15", ""],
    });
  });
});

test("of three dispatches each interval goes to the first that claims it", () => {
  expect(keptBy(claim("d3", 1, 90), claim("d2", 31, 120), claim("d1", 61, 70))).toEqual({
    d1: ["61–70", ""],
    d2: ["31–60 71–120", "61–70 to d1"],
    d3: ["1–30", "31–60 to d2 61–70 to d1 71–90 to d2"],
  });
});

test("both sides name the other and the same intervals", () => {
  const contests = contestsOf([claim("d1", 1, 10), claim("d2", 6, 15)]);
  const part = { cells: { first: 6, last: 10 } };
  expect(contests.get("d1")?.shared).toEqual([
    { dispatchId: "d2", programName: "Program d2", isPaidHere: true, ...part },
  ]);
  expect(contests.get("d2")?.shared).toEqual([
    { dispatchId: "d1", programName: "Program d1", isPaidHere: false, ...part },
  ]);
});

const claims = fc
  .array(
    fc.record({
      first: fc.integer({ min: 1, max: 60 }),
      length: fc.integer({ min: 1, max: 40 }),
      issuedMs: fc.nat(5),
      isEarlierRules: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((all) => all.map(({ first, length, ...rest }, index) => claim(`d${index}`, first, first + length - 1, rest)));

test("property: every claimed interval is kept by exactly one dispatch, the first in order", () => {
  fc.assert(
    fc.property(claims, (all) => {
      const contests = contestsOf(all);
      const keeps = ({ dispatchId, cells }: EnergyClaim, cell: number) =>
        (contests.get(dispatchId)?.kept ?? [cells]).some(({ first, last }) => first <= cell && cell <= last);
      // One by one, cell by cell: another way to the same.
      const first = (cell: number) =>
        all
          .filter(({ cells }) => cells.first <= cell && cell <= cells.last)
          .toSorted(
            (a, b) =>
              Number(b.isEarlierRules) - Number(a.isEarlierRules) ||
              a.issuedMs - b.issuedMs ||
              a.dispatchId.localeCompare(b.dispatchId, "en"),
          )[0]?.dispatchId;
      const cells = Array.from({ length: 111 }, (_, cell) => cell);
      const keepers = cells.map((cell) => all.filter((each) => keeps(each, cell)).map(({ dispatchId }) => dispatchId));
      expect(keepers).toEqual(cells.map((cell) => [first(cell)].filter((id) => id !== undefined)));
    }),
    { numRuns: propertyRuns(40) },
  );
});
