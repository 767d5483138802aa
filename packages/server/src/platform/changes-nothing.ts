import { sameValue } from "./same-value.js";

/** Whether every member of a change equals the current value; such a change is neither written nor audited. */
export const changesNothing = <T extends object>(before: T, change: Partial<T>): boolean =>
  Object.entries(change).every(([name, value]) => sameValue(before[name as keyof T], value));
