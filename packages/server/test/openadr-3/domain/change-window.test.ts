import { expect, test } from "vitest";
import { ChangeWindow } from "../../../src/openadr-3/domain/change-window.js";

test("numbers that were skipped are missing until they appear", () => {
  const window = new ChangeWindow(5, [], 0);
  window.note([6, 9], 0);
  expect([window.seq, window.missing]).toEqual([9, [7, 8]]);
  window.note([8], 1);
  expect([window.seq, window.missing]).toEqual([9, [7]]);
});

test("numbers before the first look may still appear", () => {
  const window = new ChangeWindow(5, [3], 0);
  expect(window.missing).toEqual([3]);
  window.note([3, 6], 0);
  expect([window.seq, window.missing]).toEqual([6, []]);
});

test("a number that does not appear for ten minutes was rolled back", () => {
  const window = new ChangeWindow(0, [], 0);
  window.note([2], 0);
  window.note([], 600_000);
  expect(window.missing).toEqual([1]);
  window.note([], 600_001);
  expect(window.missing).toEqual([]);
});

test("a jump of the numbers does not fill the memory", () => {
  const window = new ChangeWindow(0, [], 0);
  window.note([1_000_000], 0);
  expect(window.missing.length).toBe(1000);
  expect(window.missing.at(-1)).toBe(999_999);
});
