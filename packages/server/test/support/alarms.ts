import { operator, type QueryOf, type ReplyOf } from "@curtail/contract";
import { expect } from "vitest";
import { type Stores, storesOver, transactOver } from "../../src/app/stores.js";
import { judgeAlarms } from "../../src/oversight/operations/watch-alarms.js";
import { newId } from "../../src/platform/runtime/secrets.js";
import type { Running } from "./running.js";
import { testSecretBox } from "./secret-box.js";
import { poll } from "./unreachable.js";

export type Alarm = ReplyOf<typeof operator.listAlarms>["items"][number];
type State = QueryOf<typeof operator.listAlarms>["state"];

/** Alarms as the operator API lists them. */
export const alarms = async (on: Running, state?: State): Promise<Alarm[]> =>
  (await on.made(operator.listAlarms, { query: { limit: 500, ...(state === undefined ? {} : { state }) } })).items;

export interface About {
  readonly kind: string;
  /** An id in the subject or the message. */
  readonly id: string;
  readonly state?: State | undefined;
}

export const alarmsAbout = async (on: Running, { kind, id, state }: About): Promise<Alarm[]> =>
  (await alarms(on, state)).filter((each) => each.kind === kind && `${each.subject} ${each.message}`.includes(id));

/** By then the watch has checked; on a busy machine before what it was to see, so that it has to once more. */
const CHECKED_MS = 1500;

/** Waits until this many are listed after the watch's next check. */
export const untilAlarms = async (on: Running, about: About, count: number): Promise<Alarm[]> => {
  let checkedMs = Number.NEGATIVE_INFINITY;
  const found = async (): Promise<number> => {
    if (performance.now() - checkedMs > CHECKED_MS) {
      on.clock.advance({ seconds: 5 });
      checkedMs = performance.now();
    }
    return (await alarmsAbout(on, about)).length;
  };
  await expect.poll(found).toBe(count);
  return alarmsAbout(on, about);
};

/** Checks once more, so that what is not listed then is not raised; after the watch, which the clock wakes too. */
export const judgeOnce = (on: Running): Promise<void> =>
  judge(on, (work) => (stores) => {
    const takeTurn = async (): Promise<boolean> => (await stores.alarms.takeTurn()) || takeTurn();
    return work({ ...stores, alarms: { ...stores.alarms, takeTurn } });
  });

/** The same, unless another process is checking. */
export const judgeUnlessTaken = (on: Running): Promise<void> => judge(on, (work) => work);

type Work<T> = (stores: Stores) => Promise<T>;

const judge = async (on: Running, prepared: <T>(work: Work<T>) => Work<T>): Promise<void> => {
  on.clock.advance({ seconds: 5 });
  const { pool } = on.database;
  const stores = storesOver(pool, testSecretBox);
  const transact = transactOver(pool, testSecretBox);
  await judgeAlarms({ stores, transact: (work) => transact(prepared(work)), clock: on.clock, newId });
};

export const acknowledge = (on: Running, id = "") => on.operator(operator.acknowledgeAlarm, { params: { id } });

/** Resends the failed deliveries of a dispatch, and waits for the outcome. */
export const resend = async (on: Running, dispatchId: string): Promise<void> => {
  const { items } = await on.made(operator.listDispatchDeliveries, { params: { id: dispatchId } });
  for (const { id, state } of items) {
    if (state !== "failed") continue;
    const attempts = async () => Number((await on.database.pool.query(COUNTED, [id])).rows[0]?.count);
    const before = await attempts();
    await on.operator(operator.resendDelivery, { params: { id } });
    await poll(attempts, before + 1);
  }
};

const COUNTED = "select count(*) from message_attempts where message_id = $1";
