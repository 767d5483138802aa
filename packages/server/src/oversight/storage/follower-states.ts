import type { Queryable } from "../../platform/database/database.js";
import { FOLLOWER_LAGS } from "../../platform/database/follower-store.js";
import type { FollowerFaultState, FollowerStates } from "../operations/follower-ports.js";

interface StateRow {
  readonly name: string;
  readonly waits_since: Date | null;
  readonly waiting: number;
  readonly faults: ReadonlyArray<
    Omit<FollowerFaultState, "since" | "nextAttemptAt"> & Record<"since" | "next_attempt_at", string>
  >;
}

/** The most that are shown of each follower. */
const SHOWN = 100;

export const followerStates = (db: Queryable): FollowerStates => ({
  async list(name) {
    const { rows } = await db.query<StateRow>(
      `select name, waits_since, (select count(*) from follower_faults where follower = name) as waiting, coalesce((
         select json_agg(fault) from (
           select subject, kind, failures, error, since, next_attempt_at from follower_faults
           where follower = name and next_attempt_at is not null and error is not null order by seq limit ${SHOWN}
         ) as fault), '[]') as faults
       from (${FOLLOWER_LAGS}) as lags where $1::text is null or name = $1 order by name`,
      [name],
    );
    return rows.map(({ waits_since, faults, ...row }) => ({
      ...row,
      waitingSince: waits_since,
      faults: faults.map(({ since, next_attempt_at, ...fault }) => ({
        ...fault,
        since: new Date(since),
        nextAttemptAt: new Date(next_attempt_at),
      })),
    }));
  },
  async retry(name, now) {
    await db.query(
      "update follower_faults set next_attempt_at = $2 where follower = $1 and next_attempt_at is not null",
      [name, now],
    );
  },
});
