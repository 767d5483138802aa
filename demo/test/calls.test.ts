import { wireDispatch } from "@curtail/testing/wire-forms";
import { describe, expect, test } from "vitest";
import { callBook } from "../src/calls.js";

describe("what the fleet knows of dispatches", () => {
  const at = Date.UTC(2026, 6, 1, 18);
  const dispatch = wireDispatch("dis_1", { end_time: null });

  test("is each state once, and from when on it was known", () => {
    const book = callBook();
    expect(book.take(dispatch, at)).toBe("called");
    expect(book.take(dispatch, at + 1)).toBeNull();
    expect(book.take({ ...dispatch, end_time: "2026-07-01T19:00:00Z", modification_number: 1 }, at + 2)).toBe(
      "changed",
    );
    expect(book.take(dispatch, at + 3)).toBeNull();
    expect(book.callsOf("site_1")).toMatchObject([{ heardMs: at, startMs: at, endMs: at + 3_600_000 }]);
    expect(book.callsOf("site_2")).toEqual([]);
  });

  test("ends when a site learns that it was cancelled", () => {
    const book = callBook();
    book.take(dispatch, at);
    expect(book.take({ ...dispatch, authorized: false, modification_number: 1 }, at + 60_000)).toBe("cancelled");
    expect(book.callsOf("site_1")).toMatchObject([{ endMs: at + 60_000 }]);
  });
});
