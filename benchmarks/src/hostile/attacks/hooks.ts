import type { Sender } from "../sender.js";
import type { Target } from "../stage.js";
import { API, type Attack, inHours, keyOf } from "./attack.js";

const events = [{ name: "dispatch.create" }, { name: "dispatch.update" }];
const HANGING_REGISTRATIONS = 300;
/** As many as an account may have (G34). */
const WEBHOOKS_PER_ACCOUNT = 20;

/**
 * Makes the service call addresses that anybody may name: loopback, names whose servers do not respond, one that hangs.
 */
export const sandboxHooks: Attack = {
  title: "webhook registrations with the public key: loopback, unresolved and hanging hosts",
  run: async ({ sandboxUrl, sandboxKey, relayUrl }, sender) => {
    const urlOf = (turn: number): string =>
      [`${relayUrl}/hangs/${turn}`, `https://dead-${turn}.test/`, `http://127.0.0.1:${1 + (turn % 65_000)}/`][
        turn % 3
      ] ?? "";
    await sender.repeat(50, (turn) =>
      sender.post(`${sandboxUrl}${API}/webhooks`, { headers: keyOf(sandboxKey), body: { url: urlOf(turn), events } }),
    );
  },
};

/** On the same host as the neighbour's webhook. */
export const hangingRegistrations: Attack = {
  title: `${HANGING_REGISTRATIONS} hanging registrations at the host of the neighbour's webhook`,
  run: async ({ url, attackers, relayUrl }, sender) => {
    await sender.repeat(HANGING_REGISTRATIONS, (turn) =>
      sender.post(`${url}${API}/webhooks`, {
        headers: keyOf(attackers[turn % attackers.length]?.key),
        body: { url: `${relayUrl}/hangs/${turn}`, events },
      }),
    );
  },
};

/**
 * Registered properly, but they never answer a notice; the operator's dispatches and the account's tests keep them
 * busy.
 */
export const hangingWebhooks: Attack = {
  title: `${2 * WEBHOOKS_PER_ACCOUNT} hanging webhooks of two accounts at the host of the neighbour's webhook`,
  isDispatched: true,
  run: async (target, sender) => {
    for (const attacker of target.attackers) await registerAll(target, sender, attacker.key);
    await sender.repeat(2, (turn) =>
      sender.post(`${target.url}${API}/dispatches`, {
        headers: keyOf(target.attackers[turn % target.attackers.length]?.key),
        body: { start_time: inHours(1), end_time: inHours(2) },
      }),
    );
  },
};

const registerAll = async ({ url, relayUrl }: Target, sender: Sender, key: string): Promise<void> => {
  for (let index = 0; index < WEBHOOKS_PER_ACCOUNT; index++) {
    const body = { url: `${relayUrl}/later-hangs/${index}`, events };
    await sender.post(`${url}${API}/webhooks`, { headers: keyOf(key), body });
  }
};
