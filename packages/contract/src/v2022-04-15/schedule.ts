import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { id, moment, onlyFalse } from "../values.js";

/** A period in which a site is not dispatched (G18). */
export const availabilityBlock = {
  site_id: id("site", "Site that is not dispatched in the period."),
  available: Type.Literal(false, { description: "Always `false`: the site is not available." }),
  start_time: moment("Start of the period.", "start"),
  end_time: moment("End of the period.", "end"),
};

export const AvailabilityBlock = Type.Object(availabilityBlock, {
  $id: "AvailabilityBlock",
  description: "A period in which a site is not dispatched, as it was stored.",
});

export const changeSchedule = endpoint({
  id: "changeSchedule",
  method: "POST",
  path: "/schedule/sites/{site_id}",
  tag: "Schedule",
  summary: "Block a site from dispatches for a period",
  description:
    "200 means that the availability block is stored and no new dispatch will include the site in the period. With any other status nothing has changed, and the site may still be dispatched.\n\nDispatches that already include the site do not change. A block that starts before the program's cut-off is too late and gets 400. A block lasts at most a year. Sending the same block again is safe.",
  params: Type.Object({ site_id: id("site") }),
  body: Type.Object(
    {
      available: onlyFalse("Only `false` is supported: a site cannot be made available."),
      start_time: availabilityBlock.start_time,
      end_time: availabilityBlock.end_time,
    },
    { $id: "ScheduleChange", description: "A period in which the site is not available." },
  ),
  reply: AvailabilityBlock,
});
