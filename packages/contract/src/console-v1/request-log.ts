import { endpoint } from "../endpoint.js";
import { listAccountRequests } from "../operator-v1/request-log.js";
import { ofOwnAccount } from "./own.js";

/** What the own account's keys asked, as the operator's interface has it of all. */
export const listOwnRequests = endpoint({
  ...ofOwnAccount(listAccountRequests),
  id: "listOwnRequests",
  path: "/requests",
  tag: "Keys",
  summary: "List what your keys asked in the last day, newest first",
});
