import { API, type Attack, inHours, keyOf } from "./attack.js";

/** An account's own tests of the longest duration, measured at once; some are looked at. */
export const ownTests: Attack = {
  title: "self-made test dispatches by one key, and their live performance",
  run: async ({ url, attackers }, sender) => {
    const headers = keyOf(attackers[0]?.key);
    await sender.repeat(4, async () => {
      const body = { start_time: inHours(0.01), end_time: inHours(23) };
      await sender.post(`${url}${API}/dispatches`, { headers, body });
      await sender.post(`${url}${API}/dispatches`, { method: "GET", headers });
    });
  },
};
