import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/schedule.js";

/** Availability blocks of the caller's own sites. */
export const listOwnSchedule = endpoint({ ...operator.listSchedule, id: "listOwnSchedule" });
export const deleteOwnScheduleBlock = endpoint({ ...operator.deleteScheduleBlock, id: "deleteOwnScheduleBlock" });
