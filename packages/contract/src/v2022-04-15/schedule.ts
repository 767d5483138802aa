import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { id, Timestamp } from "../values.js";

export const AvailabilityBlock = Type.Object(
  {
    site_id: id("site", "Site that is not dispatched in the period."),
    available: Type.Literal(false),
    start_time: Timestamp,
    end_time: Timestamp,
  },
  { $id: "AvailabilityBlock" },
);

export const changeSchedule = endpoint({
  id: "changeSchedule",
  method: "POST",
  path: "/schedule/sites/{site_id}",
  tag: "Schedule",
  summary: "Take a site out of dispatching for a period",
  description:
    "200: the site will not be dispatched in the period. Any other status: nothing changed, and the site may still be dispatched; also when the period starts too soon for the market to learn of it. A block lasts at most a year.",
  params: Type.Object({ site_id: Type.String({ description: "Site id." }) }),
  body: Type.Object(
    {
      available: Type.Boolean({ description: "Only false is supported." }),
      start_time: Timestamp,
      end_time: Timestamp,
    },
    { $id: "ScheduleChange" },
  ),
  reply: AvailabilityBlock,
});
