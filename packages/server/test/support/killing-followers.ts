import type { TestDatabase } from "./database.js";

/** Where a process is killed while it follows: its connection breaks. */
export const KILL_POINTS = ["in its effect", "after its effect", "after its cursor"] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

const triggerAt = (point: KillPoint, effectOn: string): readonly [kind: string, when: string] =>
  (
    ({
      "in its effect": ["trigger", `before insert or update on ${effectOn} for each row`],
      "after its effect": ["trigger", "before update of seen on followers for each row"],
      "after its cursor": [
        "constraint trigger",
        "after update of seen on followers deferrable initially deferred for each row",
      ],
    }) as const
  )[point];

/**
 * Meanwhile a third of the transactions that pass the point is killed there.
 *
 * @param effectOn the table that the follower writes
 */
export const killedAt = async <T>(
  { pool }: TestDatabase,
  { point, effectOn }: { readonly point: KillPoint; readonly effectOn: string },
  work: () => Promise<T>,
): Promise<T> => {
  const [kind, when] = triggerAt(point, effectOn);
  await pool.query(`
    create function kills() returns trigger language plpgsql as $$ begin
      if random() < 0.3 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$;
    create ${kind} kills ${when} execute function kills()`);
  try {
    return await work();
  } finally {
    await pool.query("drop function kills cascade");
  }
};
