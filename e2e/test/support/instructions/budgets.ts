/** Instructions of an item in the service, as a ratio to the bare server (floor.mjs). Lower a number after an improvement. */
export const BUDGETS = { poll: 2.37, upload: 49.4 };

export type Item = keyof typeof BUDGETS;

export const ITEMS = Object.keys(BUDGETS) as Item[];

/** Runs differ by less. */
const MOST = 1.1;

export const exceeds = (cost: number, budget: number): boolean => cost > budget * MOST;
