import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { id, Timestamp } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

export const ScheduleBlock = Type.Object(
  {
    id: id("block", "Block id."),
    site_id: id("site", "Site that is not dispatched in the period."),
    available: Type.Literal(false),
    start_time: Timestamp,
    end_time: Timestamp,
    created_at: Timestamp,
  },
  { $id: "ScheduleBlock" },
);

export const listSchedule = endpoint({
  id: "listSchedule",
  method: "GET",
  path: "/sites/{id}/schedule",
  tag: "Schedule",
  summary: "List a site's availability blocks",
  params: byId,
  query: PageQuery,
  reply: pageOf(ScheduleBlock),
});
export const deleteScheduleBlock = endpoint({
  id: "deleteScheduleBlock",
  method: "DELETE",
  path: "/schedule/{id}",
  tag: "Schedule",
  summary: "Remove an availability block",
  params: byId,
  status: 204,
});
