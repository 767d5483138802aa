/** Whether every member of a change is what is there already: such a change is neither written nor audited. */
export const changesNothing = <T extends object>(before: T, change: Partial<T>): boolean =>
  Object.entries(change).every(([name, value]) => before[name as keyof T] === value);
