import { type ReadingSet, timeAt } from "../../readings.js";
import { API, type Attack, keyOf } from "./attack.js";

/** The most that one request may have. */
const READINGS = 50_000;
const set: ReadingSet = { meters: 1, steps: READINGS, intervalSeconds: 30 };

/** Valid ones, in the usual form and in one that takes the slow path of the parser. */
export const uploads: Attack = {
  title: `uploads of ${READINGS} readings, plain and not`,
  run: async ({ url, attackers }, sender) => {
    const [attacker] = attackers;
    const all = [{}, { note: "" }].map((more) => upload(attacker?.meterIds[0] ?? "", more));
    await sender.repeat(2, (turn) =>
      sender.post(`${url}${API}/telemetry`, { headers: keyOf(attacker?.key), body: all[turn % all.length] }),
    );
  },
};

const upload = (meter_id: string, more: object): Buffer =>
  Buffer.from(
    JSON.stringify({
      telemetry: Array.from({ length: READINGS }, (_, step) => ({
        meter_id,
        interval_seconds: set.intervalSeconds,
        timestamp: timeAt(set, step),
        kW: step % 100,
        ...more,
      })),
    }),
  );
