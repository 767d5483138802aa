import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortCauses, shortCauseWords } from "../../src/rules/short-causes.js";

const group = (cause: string, at_stake_kw: number | null, id: string | null = "dis_1", open = 2) => ({
  cause,
  at_stake_kw,
  accounts: 3,
  sites: 7,
  open,
  dispatch: id === null ? null : ({ id } as never),
});
const of = { id: "dis_1", shortKw: 2870, accounts: 148 };

describe("the causes of a shortfall", () => {
  test("have the accounts or sites of each, and the other accounts for the rest", () => {
    const causes = shortCauses([group("not_notified", 2310), group("no_readings", 340)], of);
    expect(causes).toEqual([
      { cause: "not_notified", number: 3, kw: 2310 },
      { cause: "no_readings", number: 7, kw: 340 },
      { cause: null, number: 145, kw: 220 },
    ]);
    expect(causes.map((each) => shortCauseWords(each, false))).toEqual([
      "3 accounts not notified",
      "7 sites without readings",
      "the other 145 accounts",
    ]);
  });

  test("leave out other dispatches, kinds without a cause, and what is not known", () => {
    const groups = [group("not_notified", 9, "dis_2"), group("disk_low", 9, null), group("no_readings", null)];
    const causes = shortCauses(groups, of);
    expect(causes).toEqual([{ cause: null, number: 148, kw: 2870 }]);
    expect(causes.map((each) => shortCauseWords(each, true))).toEqual(["148 accounts"]);
    expect(shortCauses([], { ...of, shortKw: 0.2 })).toEqual([]);
  });

  test("always add up to what is short, however old the alarms' figures are", () => {
    const causes = fc.array(
      fc.tuple(fc.constantFrom("not_notified", "opted_out", "no_readings"), fc.option(fc.nat(5000))),
    );
    fc.assert(
      fc.property(causes, fc.nat(5000), (given, shortKw) => {
        const found = shortCauses(
          given.map(([cause, kw]) => group(cause, kw)),
          { ...of, shortKw },
        );
        expect(found.reduce((sum, { kw }) => sum + kw, 0)).toBe(shortKw);
        expect(found.every(({ kw }) => kw > 0)).toBe(true);
      }),
    );
  });
});
