import { MAX_PAGE } from "@curtail/contract/constants";
import { useOperatorList } from "../../api/use-call.js";
import { useWhole } from "../../api/use-whole.js";

/** All programs. */
export const usePrograms = () => useWhole(useOperatorList("/programs", { query: { limit: MAX_PAGE } }));
