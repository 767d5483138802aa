import type { Geometry, Position } from "geojson";

const WORLD = 360;
/** Where Antarctica is closed along the edge of a flat map already. */
const POLE = 89;

/**
 * The shapes of an atlas are those of a globe: some cross the edge of a flat map from 180 to −180 degrees. Here they go on
 * beyond it, where the map repeats itself.
 */
export const unwrapped = <G extends Geometry>(geometry: G): G => {
  if (geometry.type === "Polygon") return { ...geometry, coordinates: geometry.coordinates.map(continuous) };
  if (geometry.type === "MultiPolygon")
    return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(continuous)) };
  if (geometry.type === "MultiLineString") return { ...geometry, coordinates: geometry.coordinates.map(continuous) };
  return geometry;
};

/** Without jumps from one edge of the map to the other. */
const continuous = (line: readonly Position[]): Position[] => {
  let shift = 0;
  return line.map(([longitude = 0, latitude = 0], index) => {
    const before = line[index - 1]?.[0] ?? longitude;
    const jump = Math.abs(latitude) > POLE ? 0 : longitude - before;
    if (jump > WORLD / 2) shift -= WORLD;
    if (jump < -WORLD / 2) shift += WORLD;
    return [longitude + shift, latitude];
  });
};
