/** A site's part in a dispatch that is not cancelled. */
export interface DispatchWindow {
  readonly dispatchId: string;
  readonly startMs: number;
  /** null: the end is not set yet. */
  readonly endMs: number | null;
  /** kW; null: as much as possible. */
  readonly commitmentKw: number | null;
  readonly isTest: boolean;
}

/** The members of the interface's dispatches that windows are made of. */
export interface DispatchLike {
  readonly id: string;
  readonly authorized: boolean;
  readonly test: boolean;
  readonly start_time: string;
  readonly end_time: string | null;
  readonly sites: ReadonlyArray<{ readonly id: string; readonly commitment: number | null }>;
}

/** Windows by site. A dispatch that is cancelled has none; one that changed has its new times. */
export const windowsBySite = (dispatches: readonly DispatchLike[]): ReadonlyMap<string, readonly DispatchWindow[]> => {
  const bySite = new Map<string, DispatchWindow[]>();
  for (const dispatch of dispatches.filter(({ authorized }) => authorized))
    for (const site of dispatch.sites)
      bySite.set(site.id, [...(bySite.get(site.id) ?? []), windowOf(dispatch, site.commitment)]);
  return bySite;
};

const windowOf = (dispatch: DispatchLike, commitmentKw: number | null): DispatchWindow => ({
  dispatchId: dispatch.id,
  startMs: Date.parse(dispatch.start_time),
  endMs: dispatch.end_time === null ? null : Date.parse(dispatch.end_time),
  commitmentKw,
  isTest: dispatch.test,
});
