import { endpoint } from "../endpoint.js";
import { listAccountRequests } from "../operator-v1/request-log.js";
import { ofOwnAccount } from "./own.js";

/** Requests with keys of the caller's own account. */
export const listOwnRequests = endpoint({
  ...ofOwnAccount(listAccountRequests),
  id: "listOwnRequests",
  path: "/requests",
  tag: "Keys",
  summary: "List your requests of the last day, newest first",
});
