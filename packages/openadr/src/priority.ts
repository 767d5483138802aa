import type { Dispatch } from "./dispatch.js";

/** The priority of every dispatch by id: its own, or counted from 1 by creation within its market context. */
export const prioritiesOf = (dispatches: readonly Dispatch[]): ReadonlyMap<string, number> => {
  const counted = new Map<string, number>();
  const priorities = new Map<string, number>();
  for (const dispatch of [...dispatches].sort(byCreation)) {
    const place = (counted.get(dispatch.marketContext) ?? 0) + 1;
    counted.set(dispatch.marketContext, place);
    priorities.set(dispatch.id, dispatch.priority ?? place);
  }
  return priorities;
};

const byCreation = (a: Dispatch, b: Dispatch): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || compareText(a.id, b.id);

/** By code unit, so that the order is the same everywhere. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
