import { describe, expect, test } from "vitest";
import { chartKey, movedIndex } from "../../src/chart/keys.js";

const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

describe("keys on a chart", () => {
  test("move by one value, with Shift or Page keys by ten", () => {
    expect(chartKey({ ...plain, key: "ArrowRight" })).toEqual({ does: "move", by: 1 });
    expect(chartKey({ ...plain, key: "ArrowLeft", shiftKey: true })).toEqual({ does: "move", by: -10 });
    expect(chartKey({ ...plain, key: "PageDown" })).toEqual({ does: "move", by: 10 });
  });

  test("with Ctrl, Alt or ⌘ belong to the browser, and letters to the page", () => {
    for (const held of ["ctrlKey", "metaKey", "altKey"])
      expect(chartKey({ ...plain, [held]: true, key: "ArrowLeft" })).toBeNull();
    expect(chartKey({ ...plain, key: "g" })).toBeNull();
  });

  test("stay within what is visible, and begin with the latest value", () => {
    expect(movedIndex(null, -1, [10, 20])).toBe(20);
    expect(movedIndex(19, 10, [10, 20])).toBe(20);
    expect(movedIndex(11, -10, [10, 20])).toBe(10);
  });
});
