import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { operator } from "@curtail/contract";
import { upload } from "../../load.js";
import { bodiesOf, type ReadingSet, timeAt } from "../../readings.js";
import type { Sender } from "../sender.js";
import type { Stage } from "../stage.js";
import { API, type Attack, keyOf } from "./attack.js";

const METERS_PER_SITE = 6;
const READS_AT_ONCE = 10;
/** The most that a request may ask for: 10,000 points of 50 sites. */
const set: ReadingSet = { meters: 50 * METERS_PER_SITE, steps: 10_000, intervalSeconds: 30 };

export const reads: Attack = {
  title: `${READS_AT_ONCE} reads at once of 50 sites × 10,000 points × ${METERS_PER_SITE} meters, one of a slow reader`,
  prepare: async (stage) => fill(stage),
  run: async ({ url, attackers }, sender) => {
    const [attacker] = attackers;
    const query = new URLSearchParams({ start_time: timeAt(set, -1), end_time: timeAt(set, set.steps - 1) });
    for (const id of attacker?.siteIds ?? []) query.append("site_id", id);
    const address = `${url}${API}/telemetry/kw?${query.toString()}`;
    const headers = keyOf(attacker?.key);
    await Promise.all([
      sender.repeat(READS_AT_ONCE - 1, () => sender.post(address, { method: "GET", headers })),
      sender.repeat(1, () => slowRead(address, headers, sender)),
    ]);
  },
};

const fill = async ({ service, target }: Stage): Promise<void> => {
  const [attacker] = target.attackers;
  const meterIds: string[] = [...(attacker?.meterIds ?? [])];
  for (const site of attacker?.siteIds ?? []) {
    for (let more = 1; more < METERS_PER_SITE; more++) {
      const { id } = await service.operate(operator.createMeter, {
        params: { id: site },
        body: { name: `meter ${more}` },
      });
      meterIds.push(id);
    }
  }
  await upload(service.url, attacker?.key ?? "", bodiesOf(set, meterIds, "by meter"), 2);
  // Readings that arrived over days would have been analysed long ago.
  await service.pool.query("analyze");
};

/** Reads the beginning, and then nothing more. */
const slowRead = async (address: string, headers: Readonly<Record<string, string>>, sender: Sender): Promise<void> => {
  const asked = get(address, { headers }, (response) => response.once("readable", () => response.read(1000)));
  asked.on("error", () => {});
  while (!sender.isOver && !asked.destroyed) await sleep(200);
  sender.count(asked.destroyed ? "slow reader cut" : "slow reader kept");
  asked.destroy();
  await sleep(50);
};
