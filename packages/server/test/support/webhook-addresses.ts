import { createServer } from "node:net";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { type Participant, type Running, running } from "./running.js";

export let onLoopback: Running;
export let anna: Participant;
export let carl: Participant;
export let dora: Participant;
export let hook: Receiver;
export let packets = 0;

// Listens at the addresses below, and must never be reached.
const canary = createServer((socket) => {
  packets += 1;
  socket.destroy();
});

export const prepare = async () => {
  onLoopback = await running();
  // A service that others can reach must not reach loopback.
  const reachable = { CURTAIL_HOST: "0.0.0.0", CURTAIL_PUBLIC_URL: "https://dr.example.com" };
  const open = await running(reachable);
  const allowingOne = await running({ ...reachable, CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });
  anna = await onLoopback.newParticipant();
  carl = await open.newParticipant();
  dora = await allowingOne.newParticipant();
  hook = await receiver();
  // Every address of this machine, including IPv6 if available.
  await new Promise<void>((resolve) => canary.listen(0, resolve));
};
export const clear = () => canary.close();

const events = [{ name: "dispatch.create" }, { name: "dispatch.update" }];
export const register = (participant: Participant, url: unknown) =>
  participant.call("POST", "/webhooks", { url, events });
export const port = (): number => (canary.address() as { port: number }).port;
