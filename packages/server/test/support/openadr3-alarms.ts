import { expect } from "vitest";
import { runningVtn, type Vtn } from "./openadr-3.js";
import type { Equipped } from "./openadr3-vens.js";
import { listeningToVens } from "./vens.js";

export let vtn: Vtn;
export const prepare = async () => {
  vtn = await runningVtn();
  // Both listeners of a process start together.
  await listeningToVens(vtn);
};

/** Polls twice, a minute apart; waits until that is stored. */
export const polling = async ({ ven }: Equipped): Promise<void> => {
  await ven.events.search();
  vtn.clock.advance({ seconds: 60 });
  await ven.events.search();
  await expect.poll(() => lastPoll(ven.id)).toEqual(vtn.clock.now());
};

export const lastPoll = async (clientId: string) =>
  (
    await vtn.database.pool.query(
      "select last_at from openadr3_polls where client_id = $1 and interval_seconds is not null",
      [clientId],
    )
  ).rows[0]?.last_at;

/** Fails every attempt at a client's callback until it is given up. */
export const giveUp = async (clientId: string): Promise<void> => {
  for (const [made, seconds] of [0, 3, 8, 23, 68].entries()) {
    vtn.clock.advance({ seconds });
    await expect.poll(() => countAttempts(clientId)).toBe(made + 1);
  }
};

const countAttempts = async (clientId: string): Promise<number> =>
  (
    await vtn.database.pool.query(
      `select (sum(failures) + count(*) filter (where state = 'delivered'))::int as count from passing_messages
       where client_id = $1 and leased_until is null`,
      [clientId],
    )
  ).rows[0].count;
