import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/schedule.js";

/** Availability blocks of the caller's own sites, as the operator's interface has all of them. */
export const listOwnSchedule = endpoint({ ...operator.listSchedule, id: "listOwnSchedule" });
export const deleteOwnScheduleBlock = endpoint({
  ...operator.deleteScheduleBlock,
  id: "deleteOwnScheduleBlock",
  description:
    "Also of a block that has begun: the site can be dispatched again from then on. Dispatches that are there already do not change.",
});
