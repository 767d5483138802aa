import { useOperator } from "../../../api/use-call.js";

const EVERY_MS = 10_000;

/** The groups of alarms, for all who show or count them: one request, and one number of open alarms. */
export const useAlarmGroups = () => useOperator("/alarms/groups", {}, { everyMs: EVERY_MS });
