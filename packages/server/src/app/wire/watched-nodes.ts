import type pg from "pg";
import type { Condition } from "../../platform/alarm.js";
import { seenNodes } from "../../platform/database/node-state.js";
import { isDistributed } from "../../platform/database/shards.js";
import { isDatabaseAway } from "../../platform/database-away.js";
import { nodeConditions, UNANSWERED } from "../../platform/database-nodes.js";

/** Nodes of a distributed database as the alarms see them: each is asked at each look. */
export const watchedNodes = (pool: pg.Pool) => async (): Promise<readonly Condition[]> =>
  (await isDistributed(pool)) ? seenNodes(pool).then(nodeConditions, unanswered) : [];

/** Other alarms are not held up by a node that is frozen; its name is not known. Without the coordinator there is no look at all. */
const unanswered = (error: unknown): readonly Condition[] => {
  if (!isDatabaseAway(error)) throw error;
  return [UNANSWERED];
};
