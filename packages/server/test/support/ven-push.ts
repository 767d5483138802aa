import { expect } from "vitest";
import { newProgram } from "./dispatching.js";
import { evidenceOf } from "./evidence.js";
import { type Participant, type Running, running } from "./running.js";
import type { Credentials } from "./ven-client.js";
import { type VenServer, venServer } from "./ven-server.js";
import { listeningToVens, type TestVen, type Vens } from "./vens.js";

export let service: Running;
export let vens: Vens;
let anna: Participant;
export let programId: string;
export let forServers: Credentials;

export const prepare = async () => {
  service = await running();
  service.rebuildsNothing();
  vens = await listeningToVens(service);
  anna = await service.newParticipant();
  programId = await newProgram(service, [anna]);
  forServers = await vens.serverCredentials();
};

interface Pushed {
  readonly ven: TestVen;
  readonly server: VenServer;
}

export const pushed = async (participant = anna, ca: string | null = vens.ca): Promise<Pushed> => {
  const server = await venServer(forServers, vens.ca);
  const transport = { push_url: server.url, ca_certificate: ca };
  return { server, ven: await vens.newVen(participant, { transport }) };
};

export const states = ({ received }: VenServer): string[] =>
  received.map(({ events }) =>
    events.map(({ descriptor }) => `${descriptor.status} ${descriptor.modificationNumber}`).join(),
  );

export const openadr = async (dispatchId: string, { ven }: TestVen) =>
  (await evidenceOf(service, dispatchId))
    .filter(({ channel, detail }) => channel === "openadr" && detail["ven"] === ven.id)
    .map(({ what, detail }) => [what, detail["modification_number"], detail["error"] ?? ""].join(" ").trim());

export const untilTold = async (dispatchId: string, ven: TestVen, last: string): Promise<string[]> => {
  await expect.poll(async () => (await openadr(dispatchId, ven)).at(-1)).toBe(last);
  return openadr(dispatchId, ven);
};
