import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changed,
  type Dispatch,
  type DispatchChange,
  isListed,
  isNotified,
} from "../../../src/dispatch/domain/dispatch.js";
import { isRefusal } from "../../../src/platform/refusal.js";
import { dispatchWith } from "../../support/domain-forms.js";

const NOW = new Date("2026-07-01T18:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR);

/** By default created and notified ten days ago, and over for nine. */
const dispatch = (than: Partial<Dispatch> = {}): Dispatch =>
  dispatchWith({ start: inHours(-230), end: inHours(-216), createdAt: inHours(-240), ...than });

const messageOf = (before: Dispatch, change: DispatchChange): string => {
  const after = changed(before, change, NOW);
  return isRefusal(after) ? after.message : "no refusal";
};

describe("a dispatch is listed (G11)", () => {
  test.each([
    ["while it is upcoming, however old", { start: inHours(5), end: inHours(6) }],
    ["while it is in progress, however old", { start: inHours(-200), end: inHours(1) }],
    ["while its end is not known, however old", { end: null }],
    ["until 24 hours after its end", { end: inHours(-24) }],
    ["until 24 hours after its change", { changedAt: inHours(-24) }],
    ["until 24 hours after it came to be for participants", { notification: inHours(-24) }],
    [
      "until 24 hours after it was cancelled, also when its end lies ahead",
      { authorized: false, end: inHours(9), changedAt: inHours(-24) },
    ],
  ])("%s", (_, than) => {
    expect(isListed(dispatch(than), NOW)).toBe(true);
  });

  test.each([
    ["more than 24 hours after its end", { end: new Date(NOW.getTime() - DAY - 1) }],
    [
      "more than 24 hours after it was cancelled, though its end lies ahead",
      { authorized: false, end: inHours(9), changedAt: inHours(-24.1) },
    ],
    [
      "more than 24 hours after it was cancelled without an end",
      { authorized: false, end: null, changedAt: inHours(-24.1) },
    ],
    ["before its notification", { notification: inHours(0.1), changedAt: NOW, start: inHours(1), end: null }],
  ])("but not %s", (_, than) => {
    expect(isListed(dispatch(than), NOW)).toBe(false);
  });
});

describe("a dispatch is there for participants (G16)", () => {
  test("from its notification time on", () => {
    expect(isNotified(dispatch({ notification: inHours(0.01) }), NOW)).toBe(false);
    expect(isNotified(dispatch({ notification: NOW }), NOW)).toBe(true);
  });

  test("when it was cancelled at or after its notification, never when before", () => {
    const notified = { notification: inHours(-2), authorized: false };
    expect(isNotified(dispatch({ ...notified, changedAt: inHours(-1) }), NOW)).toBe(true);
    expect(isNotified(dispatch({ ...notified, changedAt: inHours(-2) }), NOW)).toBe(true);
    expect(isNotified(dispatch({ ...notified, changedAt: inHours(-2.1) }), NOW)).toBe(false);
  });

  test("as long as it is stored, also when it is no longer listed", () => {
    expect(isNotified(dispatch(), NOW)).toBe(true);
  });
});

describe("a change (G16)", () => {
  const active = dispatch({ start: inHours(-1), end: inHours(1) });

  test("counts up the number and notes the time", () => {
    expect(changed(active, { end: inHours(2) }, NOW)).toEqual({
      ...active,
      end: inHours(2),
      modificationNumber: 1,
      changedAt: NOW,
    });
  });

  test("that changes nothing is no change, whatever state the dispatch is in", () => {
    const cancelled = { ...active, authorized: false };
    expect(changed(active, {}, NOW)).toBe(active);
    expect(changed(active, { start: inHours(-1), end: inHours(1), cancel: false }, NOW)).toBe(active);
    expect(changed(cancelled, { cancel: true }, NOW)).toBe(cancelled);
    const over = dispatch();
    expect(changed(over, { end: over.end }, NOW)).toBe(over);
  });

  test("can give an end, also one in the past, but not take it away", () => {
    expect(changed({ ...active, end: null }, { end: inHours(-0.5) }, NOW)).toMatchObject({ end: inHours(-0.5) });
    expect(messageOf(active, { end: null })).toMatch(/cannot become null again/);
  });

  test("cancels once and for all", () => {
    const cancelled = changed(active, { cancel: true }, NOW);
    expect(cancelled).toMatchObject({ authorized: false, modificationNumber: 1 });
    expect(messageOf({ ...active, authorized: false }, { end: inHours(3) })).toMatch(/cancelled and cannot be changed/);
  });

  test("is taken at the very end and refused after it", () => {
    expect(changed({ ...active, end: NOW }, { end: inHours(1) }, NOW)).toMatchObject({ modificationNumber: 1 });
    const over = { ...active, end: new Date(NOW.getTime() - 1) };
    expect(messageOf(over, { end: inHours(1) })).toMatch(/over and cannot be changed/);
    expect(messageOf(over, { cancel: true })).toMatch(/over and cannot be changed/);
  });

  test("voids with a reason from the millisecond after the end on, and changes no times with it (G52)", () => {
    const voiding = { cancel: true, voidReason: "A mistake" };
    expect(messageOf({ ...active, end: NOW }, voiding)).toMatch(/not over/);
    const over = { ...active, end: new Date(NOW.getTime() - 1) };
    const gone = { ...over, authorized: false, voidReason: "A mistake", modificationNumber: 1, changedAt: NOW };
    expect(changed(over, voiding, NOW)).toEqual(gone);
    expect(changed(over, { ...voiding, start: over.start, end: over.end }, NOW)).toEqual(gone);
    expect(messageOf(over, { ...voiding, end: inHours(1) })).toMatch(/times cannot be changed/);
    expect(messageOf(over, { voidReason: "A mistake" })).toMatch(/authorized: false/);
  });

  test("obeys the rules of every dispatch: 31 days at most, a year ahead at most, an end after the start", () => {
    expect(changed(active, { start: NOW, end: inHours(31 * 24) }, NOW)).toMatchObject({ modificationNumber: 1 });
    expect(messageOf(active, { start: NOW, end: new Date(NOW.getTime() + 31 * DAY + 1) })).toMatch(/at most 31 days/);
    expect(messageOf(active, { start: inHours(367 * 24), end: inHours(368 * 24) })).toMatch(/at most a year ahead/);
    expect(messageOf(active, { start: inHours(1) })).toMatch(/end_time must be after start_time/);
  });
});

// G60: the end of an open-ended dispatch can always be set to now or later.
describe("the length of a dispatch", () => {
  const open = dispatch({ start: inHours(-40 * 24), end: null });

  test("is not bounded where it had no end: it ends now, a moment ago, or up to 31 days ahead", () => {
    for (const hours of [-1, 0, 31 * 24]) {
      expect(changed(open, { end: inHours(hours) }, NOW)).toMatchObject({ end: inHours(hours) });
    }
    expect(messageOf(open, { end: new Date(inHours(31 * 24).getTime() + 1000) })).toMatch(/at most 31 days/);
  });

  test("may then be shortened, and the dispatch cancelled, however long it has lasted", () => {
    const ending = { ...open, end: inHours(24) };
    expect(changed(ending, { end: NOW }, NOW)).toMatchObject({ end: NOW });
    expect(changed(ending, { cancel: true }, NOW)).toMatchObject({ authorized: false });
    expect(messageOf(ending, { end: inHours(25) })).toMatch(/at most 31 days/);
  });

  test("is bounded where its end is given in advance, also by an earlier start", () => {
    const planned = dispatch({ start: inHours(1), end: inHours(31 * 24 + 1) });
    expect(messageOf(planned, { end: inHours(31 * 24 + 2) })).toMatch(/at most 31 days/);
    expect(messageOf(planned, { start: NOW })).toMatch(/at most 31 days/);
    expect(messageOf(dispatch({ start: inHours(1), end: null }), { end: inHours(31 * 24 + 2) })).toMatch(/at most 31/);
    expect(messageOf(open, { start: inHours(-41 * 24), end: NOW })).toMatch(/at most 31 days/);
  });

  test("never keeps an open-ended dispatch from ending now or later", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e8 }), fc.integer({ min: 0, max: 31 * 24 * 3600 }), (age, ahead) => {
        const end = new Date(NOW.getTime() + ahead * 1000);
        const running = dispatch({ start: new Date(NOW.getTime() - age * 1000), end: null });
        expect(changed(running, { end }, NOW)).toMatchObject({ end });
      }),
    );
  });
});
