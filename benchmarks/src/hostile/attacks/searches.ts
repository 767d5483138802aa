import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "../stage.js";
import type { Attack } from "./attack.js";

const SITES = 20_000;
const SEARCHES_PER_SECOND = 30;
/** What is in many names, in few, in none, and the part of a word that someone types. */
const QUESTIONS = ["e", "store", "store 140", "main", "warehouse dallas", "2026-1", "zzz"] as const;

/** One person who types, and whose page asks at each key: it waits for no answer. */
export const searches: Attack = {
  title: `${SEARCHES_PER_SECOND} searches a second of one person, in ${SITES.toLocaleString("en")} sites`,
  prepare: fill,
  run: async ({ url, attackers }, sender) => {
    const headers = { cookie: attackers[0]?.cookie ?? "" };
    const asked: Array<Promise<unknown>> = [];
    for (let turn = 0; !sender.isOver; turn++) {
      const question = encodeURIComponent(QUESTIONS[turn % QUESTIONS.length] ?? "");
      asked.push(sender.post(`${url}/console/v1/search?q=${question}`, { method: "GET", headers }));
      await sleep(1000 / SEARCHES_PER_SECOND);
    }
    await Promise.all(asked);
  },
};

async function fill({ service: { pool }, target }: Stage): Promise<void> {
  const account = target.attackers[0]?.accountId;
  await pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'sit_searched_' || n, $1, 'Store ' || n, 'loc-' || n, '', 'UTC', now() from generate_series(1, $2::int) as n`,
    [account, SITES],
  );
  await pool.query(
    `insert into meters (id, site_id, name, asset_type, created_at)
     select 'mtr_searched_' || n, 'sit_searched_' || n, 'main', 'poi', now() from generate_series(1, $1::int) as n`,
    [SITES],
  );
  await pool.query("analyze");
}
