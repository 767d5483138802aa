import { MAX_PAGE } from "@curtail/contract/constants";
import { useMemo } from "react";
import { useOperatorList } from "../../api/use-call.js";
import { useWhole } from "../../api/use-whole.js";

/** All programs. */
export const usePrograms = () => useWhole(useOperatorList("/programs", { query: { limit: MAX_PAGE } }));

/** Time zones of programs by id, as far as loaded. */
export const useZones = (): ReadonlyMap<string, string> => {
  const { items } = usePrograms();
  return useMemo(() => new Map(items.map(({ id, timezone }) => [id, timezone])), [items]);
};
