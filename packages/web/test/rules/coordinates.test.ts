import { describe, expect, test } from "vitest";
import { coordinatesOf, coordinatesText } from "../../src/rules/coordinates.js";

describe("coordinates that a person types", () => {
  test.for([
    ["41.878114, -87.629798", 41.878114, -87.629798],
    ["  -33.8688 151.2093 ", -33.8688, 151.2093],
    ["52.52;13.405", 52.52, 13.405],
    ["+90,−180", 90, -180],
    ["0, 0", 0, 0],
  ] as const)("%s is a place", ([text, latitude, longitude]) =>
    expect(coordinatesOf(text)).toEqual({ latitude, longitude }),
  );

  test("nothing is no place", () => expect(coordinatesOf("  ")).toEqual({ latitude: null, longitude: null }));

  test.for(["41.8", "41.8,", "90.01, 0", "0, 180.5", "1,2,3", "1e1, 2", "52,52; 13,40", "41° N, 87° W", "abc", "."])(
    "%s is asked for again",
    (text) => expect(coordinatesOf(text)).toBeNull(),
  );
});

test("coordinates are shown as they can be typed", () => {
  const place = { latitude: -33.8688, longitude: 151.2093 };
  expect(coordinatesOf(coordinatesText(place))).toEqual(place);
  expect(coordinatesText({ latitude: 0, longitude: 0 })).toBe("0, 0");
  expect(coordinatesText({ latitude: null, longitude: null })).toBe("");
});
