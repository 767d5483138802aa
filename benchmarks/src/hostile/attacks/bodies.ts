import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sender } from "../sender.js";
import type { Target } from "../stage.js";
import { API, type Attack, keyOf } from "./attack.js";

const MB = 1_000_000;
const LINES = 4;

/** One long label repeated by every fault of its dispatch. */
export const labels: Attack = {
  title: "custom scenarios of 1 MB with a long label, public key",
  run: async ({ sandboxUrl, sandboxKey }, sender) => {
    const dispatches = { ["L".repeat(MB)]: { states: Array.from({ length: 300 }, () => ({})) } };
    const body = Buffer.from(JSON.stringify({ scenario_type: "custom", dispatches }));
    await sender.repeat(2, () => sender.post(`${sandboxUrl}${API}/scenarios`, { headers: keyOf(sandboxKey), body }));
  },
};

/** Short bodies with millions of faults. */
export const bodies: Attack = {
  title: "10 MB of [{},{},…] without a key, with the public key, with an account's key",
  run: async (target, sender) => {
    const pairs = Buffer.from(`[${"{},".repeat((10 * MB) / 3 - 1)}{}]`);
    const readings = Buffer.concat([Buffer.from('{"telemetry":'), pairs.subarray(0, -20), Buffer.from("{}]}")]);
    const places = placesOf(target);
    await sender.repeat(LINES, (turn) => {
      const [url, headers] = places[turn % places.length] ?? [target.url, {}];
      return sender.post(url, { headers, body: turn % 2 === 0 ? pairs : readings });
    });
  },
};

/** What costs most to refuse, from a sender that does not rest. */
export const refused: Attack = {
  title: "10 MB of [{},{},…] without a key, without a pause",
  run: async ({ url }, sender) => {
    const body = Buffer.from(`[${"{},".repeat((10 * MB) / 3 - 1)}{}]`);
    await sender.repeat(LINES, () => sender.post(url + API, { body, pauses: false }));
  },
};

type Place = readonly [url: string, headers: Readonly<Record<string, string>>];

const placesOf = ({ url, sandboxUrl, sandboxKey, attackers }: Target): Place[] => {
  const keyless = ["/", API, `${API}/telemetry`, "/telemetry", "/claim/none", "/invitation/none", "/first-user/none"];
  return [
    ...keyless.map((path): Place => [url + path, {}]),
    ...["/telemetry", "/scenarios"].map((path): Place => [sandboxUrl + API + path, keyOf(sandboxKey)]),
    ...["/telemetry", "/webhooks", "/dispatches"].map((path): Place => [url + API + path, keyOf(attackers[0]?.key)]),
  ];
};

/** Nesting that a parser follows on its stack, sent without a key. */
export const deep: Attack = {
  title: "5 MB of [[[[… on one-time links",
  run: async ({ url, links }, sender) => {
    const opened = Buffer.from("[".repeat(5 * MB));
    const closed = Buffer.from("[".repeat(2.5 * MB) + "]".repeat(2.5 * MB));
    await sender.repeat(2, (turn) =>
      sender.post(`${url}${links[turn % links.length]}`, { body: turn % 4 < 2 ? opened : closed }),
    );
  },
};

const HALF_SENT = 300;
const HALF_BYTES = 4 * MB;

/** Bodies that never arrive in full and are held until the request times out. */
export const halfBodies: Attack = {
  title: `${HALF_SENT} bodies of 10 MB that stop after 4 MB, with an account's key and without`,
  run: async (target, sender) => {
    const half = Buffer.alloc(HALF_BYTES, " ");
    await sender.repeat(HALF_SENT, (turn) => halfSent(target, sender, { turn, half }));
  },
};

const halfSent = async ({ url, attackers }: Target, sender: Sender, { turn, half }: { turn: number; half: Buffer }) => {
  const { hostname, port } = new URL(url);
  const path = turn % 4 === 0 ? "/claim/none" : `${API}/telemetry`;
  const socket = connect(Number(port), hostname);
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.on("error", () => {}).once("data", (data: Buffer) => sender.count(data.subarray(9, 12).toString()));
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${10 * MB}\r\n` +
      `x-service-api-key: ${attackers[0]?.key}\r\n\r\n`,
  );
  socket.write(half);
  while (!sender.isOver && !socket.destroyed) await Promise.race([closed, sleep(500)]);
  sender.count(socket.destroyed ? "closed by the service" : "held to the end");
  socket.destroy();
  await sleep(50);
};
