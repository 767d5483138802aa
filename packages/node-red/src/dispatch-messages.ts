import type { CurtailmentWindow, DispatchChange, DispatchSite } from "@curtail/client";
import type { Told } from "./dispatch-memory.js";
import type { Message } from "./red.js";
import type { SiteSignal } from "./site-signals.js";

/** Output 1: what is new about a dispatch. */
export const changeMessage = ({ type, dispatch }: DispatchChange): Message => ({ topic: type, payload: dispatch });

/** Output 2: a site starts to curtail, by another amount, or runs as usual again. */
export const siteMessage = ({ isStart, window }: SiteSignal, told: Told): Message => ({
  topic: window.site_id,
  payload: isStart,
  commitment: isStart ? window.commitment : 0,
  site: siteOf(window, told),
  window,
});

/** Output 2, when asked: what each site of the known dispatches should do now. */
export const siteStates = (told: Told): readonly Message[] => {
  const sites = Object.values(told.seen).flatMap(({ dispatch }) => dispatch.sites);
  const ids = new Set([...Object.keys(told.followed), ...sites.map(({ id }) => id)]);
  return [...ids].map((id) => {
    const window = told.followed[id];
    if (window !== undefined) return siteMessage({ isStart: true, window }, told);
    return {
      topic: id,
      payload: false,
      commitment: 0,
      site: shortOf(
        id,
        sites.find((each) => each.id === id),
      ),
    };
  });
};

const siteOf = ({ site_id, dispatch_ids }: CurtailmentWindow, { seen }: Told) =>
  shortOf(
    site_id,
    dispatch_ids.flatMap((id) => seen[id]?.dispatch.sites ?? []).find(({ id }) => id === site_id),
  );

const shortOf = (id: string, site: DispatchSite | undefined) => ({
  id,
  name: site?.name ?? "",
  customer_location_id: site?.customer_location_id ?? "",
});
