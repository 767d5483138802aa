/** The values of each member of the items, as `unnest` takes them. */
export const valuesOf = <T>(items: readonly T[], ...members: ReadonlyArray<keyof T>): unknown[][] =>
  members.map((member) => items.map((item) => item[member]));
