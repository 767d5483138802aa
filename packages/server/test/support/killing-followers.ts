import type { TestDatabase } from "./database.js";

/** Where a process is killed while it follows: its connection breaks. */
export const killPoints = {
  "after its effect": ["trigger", "before update of seen on followers for each row"],
  "after its cursor": [
    "constraint trigger",
    "after update of seen on followers deferrable initially deferred for each row",
  ],
} as const;
export type KillPoint = keyof typeof killPoints;

/** Meanwhile a third of the transactions that pass the point is killed there; in the effect, if a table is given. */
export const killedAt = async <T>(
  { pool }: TestDatabase,
  point: KillPoint | { readonly effectOn: string },
  work: () => Promise<T>,
): Promise<T> => {
  const [kind, when] =
    typeof point === "string"
      ? killPoints[point]
      : ["trigger", `before insert or update on ${point.effectOn} for each row`];
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
