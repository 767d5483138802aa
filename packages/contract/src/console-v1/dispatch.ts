import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { Dispatch } from "../v2022-04-15/dispatch.js";

/** What the interface's own list leaves out after a day. */
export const listPastDispatches = endpoint({
  id: "listPastDispatches",
  method: "GET",
  path: "/dispatches/past",
  tag: "Dispatches",
  summary: "List dispatches that are over or cancelled, of any age, newest first",
  query: PageQuery,
  reply: pageOf(Dispatch),
});
