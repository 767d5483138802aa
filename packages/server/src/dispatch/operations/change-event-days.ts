import type { DispatchStores } from "./dispatch-stores.js";

/**
 * Has later results follow a dispatch that was recorded or changed after its start: their baselines leave out its days
 * (M6). One that starts in the future comes before no dispatch with a result.
 */
export const changeEventDays = async (
  { late }: Pick<DispatchStores, "late">,
  dispatchId: string,
  starts: readonly Date[],
  now: Date,
): Promise<void> => {
  const from = new Date(Math.min(...starts.map((start) => start.getTime())));
  if (from < now) await late.eventDaysChange({ dispatchId, from }, now);
};
