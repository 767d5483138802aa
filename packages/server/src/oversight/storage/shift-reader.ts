import type { Queryable } from "../../platform/database/database.js";
import type { ShiftReader } from "../operations/shift-ports.js";
import { shiftAlarms } from "./shift-alarms.js";
import { shiftDispatches } from "./shift-dispatches.js";
import { shiftPeople } from "./shift-people.js";

/** What happened in a shift, each part by an index on its time. */
export const shiftReader = (db: Queryable): ShiftReader => ({
  ...shiftDispatches(db),
  ...shiftAlarms(db),
  ...shiftPeople(db),
});
