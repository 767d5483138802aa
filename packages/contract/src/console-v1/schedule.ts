import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import * as operator from "../operator-v1/schedule.js";
import { id, moment, nullable } from "../values.js";

/** Availability blocks of the caller's own sites. */
export const listOwnSchedule = endpoint({ ...operator.listSchedule, id: "listOwnSchedule" });
export const deleteOwnScheduleBlock = endpoint({ ...operator.deleteScheduleBlock, id: "deleteOwnScheduleBlock" });

export const listOwnBlocks = endpoint({
  id: "listOwnBlocks",
  method: "GET",
  path: "/schedule",
  tag: "Schedule",
  summary: "List availability blocks of all your sites",
  description: "Returns the blocks that overlap the period, in the order in which they were added.",
  query: Type.Object({
    ...PageQuery.properties,
    start_time: Type.Optional(moment("Only blocks that end after this moment.", "start")),
    end_time: Type.Optional(moment("Only blocks that start before this moment.", "end")),
    site_id: Type.Optional(id("site", "Only blocks of this site.")),
  }),
  reply: pageOf(operator.ScheduleBlock),
});

/** The most blocks that one change adds, and deletes. */
const MOST_BLOCKS = 500;

const AddedBlock = Type.Object(
  {
    site_id: id("site", "Site of yours."),
    start_time: moment("Start of the period.", "start"),
    end_time: moment("End of the period.", "end"),
    available_kw: nullable(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 10_000_000,
        description: "Power that the site can still reduce by, in kW; null: it is not dispatched at all.",
        examples: [120],
      }),
    ),
  },
  { $id: "AddedBlock", description: "A block to add." },
);

export const AvailabilityChange = Type.Object(
  {
    remove: Type.Array(id("block"), { maxItems: MOST_BLOCKS, description: "Blocks to delete." }),
    add: Type.Array(AddedBlock, {
      maxItems: MOST_BLOCKS,
      description: "Blocks to add; several of them become a series.",
    }),
  },
  { $id: "AvailabilityChange", description: "Blocks to delete and to add, of any of your sites." },
);
export type AvailabilityChange = Static<typeof AvailabilityChange>;

export const changeAvailability = endpoint({
  id: "changeAvailability",
  method: "POST",
  path: "/schedule",
  once: "within",
  tag: "Schedule",
  summary: "Add, replace and delete availability blocks",
  description:
    "Makes all changes, or none. Blocks are deleted first. A block that starts before the cut-off of its site gets 400, unless it is within one that is deleted and leaves at least as much power. With `available_kw`, new dispatches include the site with at most this commitment. Existing dispatches do not change. A site has at most 1,000 blocks that are not over, each of at most 366 days.",
  body: AvailabilityChange,
  reply: Type.Object(
    { items: Type.Array(operator.ScheduleBlock, { description: "The added blocks." }) },
    { $id: "ChangedAvailability", description: "The blocks that were added; those that existed before are included." },
  ),
});
