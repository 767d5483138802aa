import type { Polygon } from "geojson";
import { expect, test } from "vitest";
import { unwrapped } from "../../src/map/unwrapped.js";

const polygon = (...coordinates: [number, number][]): Polygon => ({ type: "Polygon", coordinates: [coordinates] });

test("a shape across the edge of the map goes on beyond it", () => {
  const across = polygon([170, 60], [-170, 60], [-170, 70], [170, 70], [170, 60]);
  expect(unwrapped(across).coordinates).toEqual([
    [
      [170, 60],
      [190, 60],
      [190, 70],
      [170, 70],
      [170, 60],
    ],
  ]);
});

test("a shape that is closed along the pole stays as it is", () => {
  const around = polygon([-180, -89.999], [180, -89.999], [180, -70], [0, -72], [-180, -70], [-180, -89.999]);
  expect(unwrapped(around)).toEqual(around);
});

test("other shapes stay as they are, and lines do not jump", () => {
  const plain = polygon([-10, 0], [10, 0], [10, 10], [-10, 0]);
  expect(unwrapped(plain)).toEqual(plain);
  const lines = unwrapped({
    type: "MultiLineString",
    coordinates: [
      [
        [-179, 1],
        [179, 2],
        [-179, 3],
      ],
    ],
  });
  expect(lines.coordinates).toEqual([
    [
      [-179, 1],
      [-181, 2],
      [-179, 3],
    ],
  ]);
});
