/** A place in degrees (WGS 84); null twice: none. */
export interface Coordinates {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** As maps copy them: `41.878114, -87.629798`. */
export const coordinatesText = ({ latitude, longitude }: Coordinates): string =>
  latitude === null || longitude === null ? "" : `${latitude}, ${longitude}`;

const DEGREES = /^[+-]?\d{1,3}(\.\d+)?$/;

/** What a person typed; null if it is no place. Nothing is no coordinates. */
export const coordinatesOf = (text: string): Coordinates | null => {
  const typed = text.trim().replaceAll("−", "-");
  if (typed === "") return { latitude: null, longitude: null };
  const parts = typed.split(/\s*[,;]\s*|\s+/);
  const [latitude = null, longitude = null] = parts.map(degreesOf);
  if (latitude === null || longitude === null || parts.length > 2) return null;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
};

const degreesOf = (part: string): number | null => (DEGREES.test(part) ? Number(part) : null);
