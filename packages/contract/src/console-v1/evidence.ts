import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/evidence.js";
import { PageQuery } from "../operator-v1/list.js";

/** How the caller's own account was notified of a dispatch. */
export const listOwnEvidence = endpoint({
  ...operator.listEvidence,
  id: "listOwnEvidence",
  summary: "List your evidence of a dispatch, oldest first",
  description:
    "Returns when your account was notified of the dispatch, over which channel and with what outcome. Reads are recorded the first time for each modification.",
  query: PageQuery,
});
