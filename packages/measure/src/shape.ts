/** Faults of an unknown value, as sentences that begin with its path and state what to give instead. */
export type Shape = (value: unknown, path: string) => string[];

export const number =
  (lowest: number, highest: number): Shape =>
  (value, path) =>
    typeof value === "number" && value >= lowest && value <= highest
      ? []
      : [fault(path, value, `a number from ${lowest} to ${highest}`)];

export const integer =
  (lowest: number, highest: number): Shape =>
  (value, path) =>
    Number.isInteger(value) && number(lowest, highest)(value, path).length === 0
      ? []
      : [fault(path, value, `a whole number from ${lowest} to ${highest}`)];

export const flag: Shape = (value, path) => (typeof value === "boolean" ? [] : [fault(path, value, "true or false")]);

export const oneOf =
  (allowed: readonly (string | number)[]): Shape =>
  (value, path) =>
    allowed.some((each) => each === value)
      ? []
      : [fault(path, value, `one of ${allowed.map((each) => JSON.stringify(each)).join(", ")}`)];

export const nullOr =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? [] : shape(value, path);

/** A member that may be absent. */
export const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined ? [] : shape(value, path);

/** A list of `fewest` to `most` elements. */
export const list =
  (shape: Shape, fewest: number, most: number): Shape =>
  (value, path) =>
    Array.isArray(value) && value.length >= fewest && value.length <= most
      ? value.flatMap((each: unknown, index) => shape(each, `${path}[${index}]`))
      : [fault(path, value, `a list of ${fewest} to ${most} elements`)];

/** Every member is required unless it is `optional`, and no other is allowed. */
export const object =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value, path) => {
    if (!isObject(value)) return [fault(path, value, `an object with ${Object.keys(members).join(", ")}`)];
    const within = path === "" ? "" : `${path}.`;
    const unknown = Object.keys(value)
      .filter((key) => !Object.hasOwn(members, key))
      .map((key) => `${within}${cut(key)} is unknown; remove it`);
    return [...Object.entries(members).flatMap(([key, shape]) => shape(value[key], `${within}${key}`)), ...unknown];
  };

/** An object whose shape depends on its member `kind`. */
export const byKind =
  (shapes: Readonly<Record<string, Readonly<Record<string, Shape>>>>): Shape =>
  (value, path) => {
    if (!isObject(value)) return [fault(path, value, "an object with kind")];
    const { kind } = value;
    const kinds = oneOf(Object.keys(shapes));
    const members = typeof kind === "string" && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined;
    if (members === undefined) return kinds(kind, path === "" ? "kind" : `${path}.kind`);
    return object({ kind: kinds, ...members })(value, path);
  };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fault = (path: string, value: unknown, give: string): string =>
  `${path === "" ? "the method" : path} ${value === undefined ? "is missing" : `is ${shown(value)}`}; give ${give}`;

const MOST_SHOWN = 60;

const shown = (value: unknown): string => {
  // JSON writes NaN as null; for a function it returns undefined.
  const text =
    typeof value === "number" ? String(value) : ((JSON.stringify(value) as string | undefined) ?? typeof value);
  return cut(text);
};

const cut = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);
