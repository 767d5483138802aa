import { describe, expect, test } from "vitest";
import { revealed } from "../../../src/notification/domain/evidence.js";

const at = (minute: number): Date => new Date(Date.UTC(2026, 6, 1, 12, minute));
const revision = (modificationNumber: number, minute: number, authorized = true) => ({
  modificationNumber,
  at: at(minute),
  authorized,
});

/** Modification and minute of what participants could see by 13:00 of a dispatch notified at 12:30. */
const seen = (...revisions: Array<ReturnType<typeof revision>>): number[][] => seenUntil(at(60), ...revisions);

const seenUntil = (now: Date, ...revisions: Array<ReturnType<typeof revision>>): number[][] => {
  return revealed({ notification: at(30), isRecord: false }, revisions, now).map((each) => [
    each.modificationNumber,
    each.at.getUTCMinutes(),
  ]);
};

// G16
describe("what participants could see of a dispatch", () => {
  test("begins at its notification time, with the last state before it", () => {
    expect(seen(revision(0, 0), revision(1, 10), revision(2, 20))).toEqual([[2, 30]]);
    expect(seenUntil(at(30), revision(0, 0))).toEqual([[0, 30]]);
    expect(seenUntil(new Date(at(30).getTime() - 1), revision(0, 0))).toEqual([]);
  });

  test("goes on with every change from then on, the very moment included", () => {
    expect(seen(revision(0, 0), revision(1, 30), revision(2, 40, false))).toEqual([
      [0, 30],
      [1, 30],
      [2, 40],
    ]);
  });

  test("begins at its creation where the notification time had passed", () => {
    expect(seen(revision(0, 35), revision(1, 40))).toEqual([
      [0, 35],
      [1, 40],
    ]);
  });

  test("is nothing if it was cancelled before its notification time, and its cancellation if at that moment", () => {
    expect(seen(revision(0, 0), revision(1, 29, false))).toEqual([]);
    expect(seen(revision(0, 0), revision(1, 30, false))).toEqual([
      [0, 30],
      [1, 30],
    ]);
  });
});
