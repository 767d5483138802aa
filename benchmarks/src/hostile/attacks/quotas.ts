import type { Sender } from "../sender.js";
import type { Target } from "../stage.js";
import { API, type Attack, inHours, keyOf } from "./attack.js";

const SECOND = 1000;
/** About what fits into a body of 256 KB. */
const VALUES_PER_UPLOAD = 1500;

/** Everything that an account can create in quantity. */
export const quotas: Attack = {
  title: "controllable load, availability blocks, contacts, keys and users without end",
  run: async (target, sender) => {
    await Promise.all([
      sender.repeat(2, (turn) => controllableLoad(target, sender, turn)),
      sender.repeat(1, (turn) => block(target, sender, turn)),
      sender.repeat(1, (turn) => ofAccount(target, sender, turn)),
    ]);
  },
};

/** Different times in each upload, from now on, so that none replaces another. */
const controllableLoad = ({ url, attackers }: Target, sender: Sender, turn: number) => {
  const [attacker] = attackers;
  const firstMs = Date.now() + turn * VALUES_PER_UPLOAD * SECOND;
  const controllable_load = Array.from({ length: VALUES_PER_UPLOAD }, (_, index) => ({
    interval_seconds: 60,
    site_id: attacker?.siteIds[turn % attacker.siteIds.length],
    timestamp: new Date(firstMs + index * SECOND).toISOString(),
    units: "kW",
    value: index,
  }));
  return sender.post(`${url}${API}/telemetry/controllable-load`, {
    headers: keyOf(attacker?.key),
    body: { controllable_load },
  });
};

const block = ({ url, attackers }: Target, sender: Sender, turn: number) =>
  sender.post(`${url}${API}/schedule/sites/${attackers[0]?.siteIds[turn % 50]}`, {
    headers: keyOf(attackers[0]?.key),
    body: { available: false, start_time: inHours(100 + turn), end_time: inHours(101 + turn) },
  });

const ofAccount = async ({ url, attackers }: Target, sender: Sender, turn: number): Promise<void> => {
  const headers = { cookie: attackers[0]?.cookie ?? "" };
  const person = { name: "Nobody", email: `nobody${turn}@example.com` };
  await sender.post(`${url}/console/v1/contacts`, { headers, body: person });
  await sender.post(`${url}/console/v1/keys`, { headers, body: { environment: "production" } });
  await sender.post(`${url}/console/v1/users`, { headers, body: { ...person, role: "participant-viewer" } });
};
