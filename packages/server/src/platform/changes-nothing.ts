import { sameValue } from "./same-value.js";

/** Whether every member of a change is what is there already, by its content: it is neither written nor audited. */
export const changesNothing = <T extends object>(before: T, change: Partial<T>): boolean =>
  Object.entries(change).every(([name, value]) => sameValue(before[name as keyof T], value));
