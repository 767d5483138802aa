import type { Geometry, Position } from "geojson";

const WORLD = 360;
const SOUTH_POLE = -90;

/**
 * The shapes of an atlas are those of a globe: some cross the edge of a flat map from 180 to −180 degrees. Here they go on
 * beyond it, where the map repeats itself.
 */
export const unwrapped = <G extends Geometry>(geometry: G): G => {
  if (geometry.type === "Polygon") return { ...geometry, coordinates: geometry.coordinates.map(ring) };
  if (geometry.type === "MultiPolygon")
    return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(ring)) };
  if (geometry.type === "MultiLineString") return { ...geometry, coordinates: geometry.coordinates.map(continuous) };
  return geometry;
};

/** Without jumps from one edge of the map to the other. */
const continuous = (line: readonly Position[]): Position[] => {
  let shift = 0;
  return line.map(([longitude = 0, latitude = 0], index) => {
    const before = line[index - 1]?.[0] ?? longitude;
    if (longitude - before > WORLD / 2) shift -= WORLD;
    if (before - longitude > WORLD / 2) shift += WORLD;
    return [longitude + shift, latitude];
  });
};

/** A ring around the pole does not meet its beginning: it is closed along the edge of the map. */
const ring = (line: readonly Position[]): Position[] => {
  const flat = continuous(line);
  const [first, last] = [flat[0], flat.at(-1)];
  if (first === undefined || last === undefined || Math.abs((last[0] ?? 0) - (first[0] ?? 0)) < WORLD / 2) return flat;
  return [...flat, [last[0] ?? 0, SOUTH_POLE], [first[0] ?? 0, SOUTH_POLE], first];
};
