import pg from "pg";
import { answerOnce, type KeptAnswers, type Once, type SweepTimes } from "../answer-once.js";
import type { Clock } from "../clock.js";
import { KEPT_OF_HOLDER } from "../idempotency.js";
import { answerPlace, type SecretBox } from "../secret-box.js";
import type { Row } from "./columns.js";
import { inTransaction, type Queryable } from "./database.js";

/** How long a request waits for another with the same key. */
const WAIT = "5s";
const LOCK_NOT_AVAILABLE = "55P03";

const insertClaim = `
  insert into kept_answers as kept (id, holder, request_hash, claimed_at) values ($1, $2, $3, $4)
  on conflict (id) do update
    set request_hash = excluded.request_hash, claimed_at = excluded.claimed_at, answer = null
    where kept.claimed_at <= $5
  returning id`;

const keptAnswers = (db: Queryable, secrets: SecretBox): KeptAnswers => ({
  async claim({ id, holder, requestHash }, { at, claimableSince }) {
    try {
      await db.query(`set local lock_timeout = '${WAIT}'`);
      const { rowCount } = await db.query(insertClaim, [id, holder, requestHash, at, claimableSince]);
      await db.query("set local lock_timeout to default");
      if (rowCount === 1) return "claimed";
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return "under_way";
      throw error;
    }
    const { rows } = await db.query<Row<"kept_answers", "request_hash" | "answer">>(
      "select request_hash, answer from kept_answers where id = $1",
      [id],
    );
    const [row] = rows;
    if (row === undefined) return "under_way";
    const answer = row.answer === null ? null : secrets.open(row.answer, answerPlace(id));
    return { requestHash: row.request_hash, answer };
  },
  async keep({ id }, answer) {
    await db.query("update kept_answers set answer = $2 where id = $1", [id, secrets.seal(answer, answerPlace(id))]);
  },
  async release({ id }) {
    await db.query("delete from kept_answers where id = $1", [id]);
  },
});

/** Two sweeps: nobody else can have got beyond the limits since the one before. */
const RECENTLY = "interval '2 minutes'";

/** Removes claims from before `before`, and the oldest beyond the limits of those who claimed just now. */
export const removeOldAnswers = async (db: Queryable, { now, before }: SweepTimes): Promise<void> => {
  await db.query("delete from kept_answers where claimed_at <= $1", [before]);
  await db.query(
    `delete from kept_answers using (
       select of_id
       from (select distinct holder from kept_answers where claimed_at > $3::timestamptz - ${RECENTLY}) as active
       cross join lateral (
         select id as of_id, row_number() over newest as place, sum(coalesce(pg_column_size(answer), 0)) over newest as bytes
         from kept_answers as own where own.holder = active.holder window newest as (order by claimed_at desc, id)
       ) as kept where place > $1 or bytes > $2
     ) as beyond
     where id = of_id`,
    [KEPT_OF_HOLDER.count, KEPT_OF_HOLDER.bytes, now],
  );
};

export interface OnceOver {
  readonly pool: pg.Pool;
  readonly secrets: SecretBox;
  readonly clock: Clock;
}

/** Builds the other ports of work inside the transaction. */
export const onceWithin = <W>({ pool, secrets, clock }: OnceOver, withinOf: (client: pg.PoolClient) => W): Once<W> =>
  answerOnce({
    transactWithin: (work) => inTransaction(pool, (client) => work(withinOf(client), keptAnswers(client, secrets))),
    removeOld: (times) => removeOldAnswers(pool, times),
    clock,
  });
