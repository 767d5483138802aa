import { expect, test } from "vitest";
import { beside } from "../../src/chart/place.js";

const room = { width: 400, height: 200 };

test("the values stand right of the cursor, else left of it, and never outside of the chart", () => {
  const box = { width: 100, height: 50 };
  expect(beside({ left: 50, top: 100 }, box, room)).toEqual({ left: 64, top: 75 });
  expect(beside({ left: 350, top: 5 }, box, room)).toEqual({ left: 236, top: 4 });
  expect(beside({ left: 200, top: 195 }, { width: 390, height: 50 }, room)).toEqual({ left: 4, top: 146 });
});
