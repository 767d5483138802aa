import type { participantConsole } from "@curtail/contract";
import { byName } from "../format/name-order.js";
import { knownSum } from "./known-sum.js";

type Site = Pick<
  participantConsole.SiteOverview,
  "name" | "dispatch" | "stale" | "available" | "load_kw" | "display_enabled"
>;

/** Totals over the sites of an account. */
export const sumsOf = (sites: readonly Site[]) => {
  const running = sites.flatMap(({ dispatch }) => (dispatch?.state === "in_progress" ? [dispatch] : []));
  return {
    loadKw: knownSum(sites.map(({ load_kw }) => load_kw)),
    sitesWithLoad: sites.filter(({ load_kw }) => load_kw !== null).length,
    reporting: sites.filter(({ stale }) => !stale).length,
    available: sites.filter(({ available }) => available).length,
    /** null if no dispatch is in progress. */
    running:
      running.length === 0
        ? null
        : {
            deliveredKw: knownSum(running.map(({ delivered_kw }) => delivered_kw)),
            committedKw: knownSum(running.map(({ commitment_kw }) => commitment_kw)),
          },
  };
};

/** Puts dispatched sites first; the order is otherwise unchanged. */
export const calledFirst = <S extends Pick<Site, "name" | "dispatch">>(sites: readonly S[]): S[] => {
  const rank = ({ dispatch }: S) => (dispatch?.state === "in_progress" ? 0 : 1);
  return sites.toSorted((a, b) => rank(a) - rank(b) || byName(a.name, b.name));
};

/** Sites whose data is not visible yet: those whose readings arrive, and those with a meter that is silent. */
export const hiddenSites = <S extends Pick<Site, "stale" | "display_enabled">>(sites: readonly S[]) => {
  const hidden = sites.filter(({ display_enabled }) => !display_enabled);
  return { arriving: hidden.filter(({ stale }) => !stale), silent: hidden.filter(({ stale }) => stale) };
};
