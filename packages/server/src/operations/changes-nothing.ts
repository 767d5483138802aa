import { isDeepStrictEqual } from "node:util";

/** Whether every member of a change is what is there already, lists and objects by their content: it is neither written nor audited. */
export const changesNothing = <T extends object>(before: T, change: Partial<T>): boolean =>
  Object.entries(change).every(([name, value]) => isDeepStrictEqual(before[name as keyof T], value));
