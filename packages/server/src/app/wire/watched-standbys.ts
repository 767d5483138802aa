import type pg from "pg";
import type { Condition } from "../../platform/alarm.js";
import { replicationState } from "../../platform/database/replication-state.js";
import { isDatabaseAway } from "../../platform/database-away.js";
import type { Config } from "../../platform/runtime/config.js";
import {
  archivingConditions,
  type ReplicationState,
  type StandbyLimits,
  standbyConditions,
} from "../../platform/standbys.js";
import type { Basis } from "../basis.js";

interface StandbyLog {
  warn(details: object, message: string): void;
}

const MEGABYTE = 1_000_000;

/** When a person has to look, as it is set. */
export const limitsOf = ({ databaseStandbys, standbyLagMb, standbySlotMb }: Config): StandbyLimits => ({
  wanted: databaseStandbys,
  lagBytes: standbyLagMb * MEGABYTE,
  slotBytes: standbySlotMb * MEGABYTE,
});

/** Standbys as the alarms see them: one statement for each look at an external database. The included one has none. */
export const watchedStandbys = ({
  config,
  pool,
  logger,
}: Pick<Basis, "config" | "pool"> & { readonly logger: StandbyLog }): (() => Promise<readonly Condition[]>) => {
  if (config.databaseUrl === null) return async () => [];
  const limits = limitsOf(config);
  let isBlind = false;
  return async () => {
    const state = await seen(pool);
    // Once, and not at every look.
    if ("blind" in state && !isBlind) logger.warn({ err: state.blind }, BLIND);
    isBlind = "blind" in state;
    return "blind" in state ? [] : [...standbyConditions(state, limits), ...archivingConditions(state)];
  };
};

/** A database that does not know what it is asked, as some managed ones, must not silence the other alarms. */
const seen = async (pool: pg.Pool): Promise<ReplicationState | { readonly blind: unknown }> => {
  try {
    return (await replicationState(pool)) ?? { blind: undefined };
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    return { blind: error };
  }
};

const BLIND =
  "standbys of the database are not watched, as the role of the service cannot see their state: grant pg_monitor to it";
