import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { belongsTo, type DispatchAtEnd, type Shift, shiftOf, stateAt } from "../../../src/oversight/domain/shift.js";
import { isRefusal } from "../../../src/platform/refusal.js";

const HOUR_MS = 3_600_000;
/** Hours after midnight. */
const at = (hour: number): Date => new Date(Date.UTC(2026, 6, 1) + hour * HOUR_MS);

const shift: Shift = { from: at(8), to: at(16) };
const dispatch = (start: number, end: number | null, rest: Partial<DispatchAtEnd> = {}): DispatchAtEnd => ({
  start: at(start),
  end: end === null ? null : at(end),
  authorized: true,
  isVoid: false,
  modifications: 0,
  ...rest,
});

describe("a dispatch belongs to a shift", () => {
  const cases: ReadonlyArray<readonly [string, DispatchAtEnd, boolean]> = [
    ["over before it", dispatch(6, 7), false],
    ["that ended as it began", dispatch(6, 8), false],
    ["that ended in it", dispatch(6, 9), true],
    ["within it", dispatch(9, 10), true],
    ["around it", dispatch(7, 17), true],
    ["that went on after it", dispatch(15, 18), true],
    ["without an end", dispatch(2, null), true],
    ["that starts as it ends", dispatch(16, 17), false],
    ["that starts later", dispatch(20, 21), false],
    ["that starts later, and was issued in it", dispatch(20, 21, { modifications: 1 }), true],
    ["that was cancelled before it", dispatch(9, 10, { authorized: false }), false],
    ["that was cancelled in it", dispatch(9, 10, { authorized: false, modifications: 1 }), true],
    ["voided in it, long over", dispatch(1, 2, { authorized: false, isVoid: true, modifications: 1 }), true],
  ];
  test.each(cases)("%s", (_, given, expected) => {
    expect(belongsTo(given, shift)).toBe(expected);
  });

  test("that nobody changed exactly if a moment of it is in the shift, and with shifts that meet, in one at least", () => {
    const hour = fc.integer({ min: 0, max: 24 });
    fc.assert(
      fc.property(
        hour,
        fc.integer({ min: 1, max: 24 }),
        hour,
        fc.integer({ min: 1, max: 24 }),
        hour,
        (s, length, f, hours, cut) => {
          const given = dispatch(s, s + length);
          const whole = { from: at(f), to: at(f + hours) };
          const shared = Math.min(s + length, f + hours) - Math.max(s, f);
          expect(belongsTo(given, whole)).toBe(shared > 0);
          const between = at(f + Math.min(Math.max(cut - f, 0), hours));
          const [first, second] = [
            { from: whole.from, to: between },
            { from: between, to: whole.to },
          ];
          if (between > whole.from && between < whole.to)
            expect(belongsTo(given, first) || belongsTo(given, second)).toBe(belongsTo(given, whole));
        },
      ),
    );
  });
});

test("the state of a dispatch is that of the end of the shift", () => {
  const { to } = shift;
  expect(stateAt(to, dispatch(16, 17))).toBe("upcoming");
  expect(stateAt(to, dispatch(15, 17))).toBe("active");
  expect(stateAt(to, dispatch(15, null))).toBe("active");
  expect(stateAt(to, dispatch(15, 16))).toBe("past");
  expect(stateAt(to, dispatch(15, 17, { authorized: false }))).toBe("cancelled");
  expect(stateAt(to, dispatch(1, 2, { authorized: false, isVoid: true }))).toBe("voided");
});

describe("the shift that is meant", () => {
  const none = { from: null, to: null };
  const now = at(16);

  test("is since the end of the last report, if that is at most two days ago", () => {
    expect(shiftOf(none, at(7), now)).toEqual({ from: at(7), to: now });
    expect(shiftOf(none, at(-32), now)).toEqual({ from: at(-32), to: now });
    expect(shiftOf(none, at(-33), now)).toEqual({ from: at(4), to: now });
    expect(shiftOf(none, null, now)).toEqual({ from: at(4), to: now });
    expect(shiftOf(none, now, now)).toEqual({ from: at(4), to: now });
    expect(shiftOf({ from: null, to: at(6) }, at(7), now)).toEqual({ from: at(-6), to: at(6) });
  });

  test("ends by now, begins before it, and lasts two days at most", () => {
    const refused = (from: Date | null, to: Date | null) => {
      const meant = shiftOf({ from, to }, null, now);
      return isRefusal(meant) ? meant.message : meant;
    };
    expect(refused(null, at(17))).toMatch(/^to_time is in the future/);
    expect(refused(at(9), at(9))).toMatch(/^from_time is not before to_time/);
    expect(refused(at(-33), now)).toMatch(/^a shift lasts at most 48 hours/);
    expect(refused(at(-32), now)).toEqual({ from: at(-32), to: now });
  });

  test("is in whole seconds, so that the next begins where it ends", () => {
    const late = new Date(now.getTime() + 999);
    expect(shiftOf(none, null, late)).toEqual({ from: at(4), to: now });
  });
});
