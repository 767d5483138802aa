import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { availabilityBlock } from "../v2022-04-15/schedule.js";
import { byId, id, moment, nullable, number, string } from "../values.js";
import { PageQuery, pageOf } from "./list.js";

/** An availability block with its id, by which it can be removed. */
export const ScheduleBlock = Type.Object(
  {
    id: id("block"),
    ...availabilityBlock,
    available: Type.Literal(false, { description: "Always `false`: the site is not available, or not as a whole." }),
    available_kw: nullable(
      number("Power that the site can still reduce by, in kW; null: it is not dispatched at all.", 120),
    ),
    series_id: nullable(string("The same for blocks that were added together; null for others.", "ser_2f6h9k3m7p1q")),
    created_at: moment("When the block was created.", "created"),
  },
  {
    $id: "ScheduleBlock",
    description: "A period in which a site is not dispatched, or is asked for no more than it can reduce by.",
  },
);

export const listSchedule = endpoint({
  id: "listSchedule",
  method: "GET",
  path: "/sites/{id}/schedule",
  tag: "Schedule",
  summary: "List a site's availability blocks",
  description: "Returns all blocks of the site, including past ones. Blocks that overlap are kept as they were sent.",
  params: byId("site"),
  query: PageQuery,
  reply: pageOf(ScheduleBlock),
});
export const deleteScheduleBlock = endpoint({
  id: "deleteScheduleBlock",
  method: "DELETE",
  path: "/schedule/{id}",
  tag: "Schedule",
  summary: "Remove an availability block",
  description:
    "New dispatches may include the site again, even if the block has already begun. Existing dispatches do not change.",
  params: byId("block"),
  status: 204,
});
