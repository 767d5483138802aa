import { expect } from "vitest";
import type { Running } from "./running.js";

/**
 * Waits until exactly this many attempts of a dispatch's deliveries are recorded. A request that has arrived may not be
 * recorded yet: moving the clock past its lease would send it twice.
 */
export const recorded = (service: Running, dispatchId: string, count: number): Promise<void> =>
  expect.poll(() => attempts(service, dispatchId)).toBe(count);

/** As `recorded`, where another delivery may follow at once. */
export const recordedAtLeast = (service: Running, dispatchId: string, count: number): Promise<void> =>
  expect.poll(() => attempts(service, dispatchId)).toBeGreaterThanOrEqual(count);

const attempts = async (service: Running, dispatchId: string): Promise<number> => {
  const sql = `select count(*) as count from message_attempts
               join messages on messages.id = message_id where subject = $1`;
  return (await service.database.pool.query(sql, [dispatchId])).rows[0].count;
};

/** Waits until nothing of production is being sent, or of the sandbox. */
export const nothingUnderWay = ({ database }: Pick<Running, "database">, schema: "public" | "sandbox"): Promise<void> =>
  expect
    .poll(
      async () => (await database.pool.query(`select from ${schema}.messages where leased_until is not null`)).rowCount,
    )
    .toBe(0);
