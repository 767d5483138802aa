import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/evidence.js";
import { PageQuery } from "../operator-v1/list.js";

/** How the caller's own account was told of a dispatch; as the operator's interface has it of all accounts. */
export const listOwnEvidence = endpoint({
  ...operator.listEvidence,
  id: "listOwnEvidence",
  summary: "List how your account was told of a dispatch, and when; oldest first",
  query: PageQuery,
});
