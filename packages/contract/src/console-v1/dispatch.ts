import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { Dispatch } from "../v2022-04-15/dispatch.js";

/** Dispatches that GET /dispatches no longer lists after a day. */
export const listPastDispatches = endpoint({
  id: "listPastDispatches",
  method: "GET",
  path: "/dispatches/past",
  tag: "Dispatches",
  summary: "List past dispatches, newest first",
  description: "Returns dispatches of any age that are over or cancelled, with your own sites in them.",
  query: PageQuery,
  reply: pageOf(Dispatch),
});
