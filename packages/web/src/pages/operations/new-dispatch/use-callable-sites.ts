import { MAX_PAGE } from "@curtail/contract/constants";
import { useMemo } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import { useWhole } from "../../../api/use-whole.js";
import { byName } from "../../../format/name-order.js";
import type { DispatchableSite } from "../../../rules/dispatch-draft.js";

export interface Callable {
  readonly sites: readonly DispatchableSite[];
  /** Whether all sites are loaded. */
  readonly isWhole: boolean;
  readonly error: Error | null;
}

/** The sites that are enrolled in a program, sorted by name. */
export const useCallableSites = (programId: string): Callable => {
  const { items, isWhole, error } = useWhole(
    useOperatorList("/programs/{id}/sites", { params: { id: programId }, query: { limit: MAX_PAGE } }),
  );
  const sites = useMemo(
    () =>
      items
        .map((site) => ({
          id: site.site_id,
          name: site.site_name,
          account: site.account_name,
          group: site.dispatch_group,
          commitmentKw: site.commitment,
        }))
        .toSorted((a, b) => byName(a.name, b.name)),
    [items],
  );
  return { sites, isWhole, error };
};
