import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sender } from "../sender.js";
import { API, type Attack, keyOf } from "./attack.js";

const STREAMS = 400;
const OPENERS = 20;
/** Encodings that the router and a proxy in front of it may take for different addresses. */
const encoded = ["/%6fperator/v1/accounts", "/%6Fperator%2fv1/accounts", `${API}/%2e%2e/operator/v1`, "/%00", "/%zz"];

/** Streams have a cost as long as they are open. */
export const streams: Attack = {
  title: `${STREAMS} streams of one person and one key, and encoded paths`,
  run: async ({ url, attackers, dispatchId }, sender) => {
    const [attacker] = attackers;
    const open = new Set<object>();
    const asPerson = { cookie: attacker?.cookie ?? "" };
    await sender.repeat(OPENERS, async (turn) => {
      const path = turn % 2 === 0 ? "/console/v1/changes/stream" : `${API}/dispatches/${dispatchId}/performance/stream`;
      if (open.size < STREAMS) opened(url + path, turn % 2 === 0 ? asPerson : keyOf(attacker?.key), { open, sender });
      await sender.post(url + encoded[turn % encoded.length], { method: "GET" });
      await sleep(20);
    });
  },
};

interface Opening {
  readonly open: Set<object>;
  readonly sender: Sender;
}

const opened = (url: string, headers: Readonly<Record<string, string>>, { open, sender }: Opening): void => {
  const asked = get(url, { headers, agent: false }, (response) => {
    sender.count(`stream ${response.statusCode}`);
    response.on("error", () => {}).resume();
  });
  open.add(asked);
  asked.on("error", () => {}).on("close", () => open.delete(asked));
};
