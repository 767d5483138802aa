/** Whether every member of a change equals the current value; such a change is neither written nor audited. */
export const changesNothing = <T extends object>(before: T, change: Partial<T>): boolean =>
  Object.entries(change).every(([name, value]) => sameValue(before[name as keyof T], value));

/** Deep equality; the order of an object's members does not matter. */
const sameValue = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (one instanceof Date || other instanceof Date) {
    return one instanceof Date && other instanceof Date && one.getTime() === other.getTime();
  }
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameValue(one[name], other[name]))
  );
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
