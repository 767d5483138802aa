import { beforeAll, expect, test } from "vitest";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { type Running, running } from "../support/running.js";
import { readSent } from "../support/ven-client.js";
import { listeningToVens, type TestVen } from "../support/vens.js";

let service: Running;
let ven: TestVen;
let dispatchId: string;

beforeAll(async () => {
  service = await running();
  const vens = await listeningToVens(service);
  const anna = await service.newParticipant();
  ven = await vens.newVen(anna);
  dispatchId = (await newDispatch(service, await newProgram(service, [anna]))).id;
});

test("the preview is the message that the VEN would get, and tells it nothing", async () => {
  const { xml } = await service.made<{ xml: string }>("GET", `/vens/${ven.ven.id}/preview`);
  expect(readSent(xml)).toMatchObject({ kind: "distributeEvent", events: [{ descriptor: { eventId: dispatchId } }] });
  expect(await service.made("GET", `/vens/${ven.ven.id}/events`)).toMatchObject({ items: [] });
  const message = readSent(xml);
  expect(await ven.events()).toEqual(message.kind === "distributeEvent" ? message.events : null);
});

test("a VEN that is gone has no preview", async () => {
  expect((await service.operator("GET", "/vens/ven_0000000000000000/preview")).status).toBe(404);
});
