import { participantConsole } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import { PROJECTION } from "../../../src/openadr-3/domain/projection.js";
import { CALLBACKS } from "../../../src/openadr-3/operations/queue-notifications.js";
import { callbackReceiver } from "../../support/callback-receiver.js";
import { caughtUp } from "../../support/caught-up.js";
import { ahead } from "../../support/dispatching.js";
import { runningVtn, type Vtn } from "../../support/openadr-3.js";
import { newBrowser } from "../../support/people.js";

let vtn: Vtn;
beforeAll(async () => {
  vtn = await runningVtn();
});

const eventsTo = (url: string) => ({
  clientName: "gateway",
  objectOperations: [{ objects: ["EVENT"], operations: ["CREATE"], callbackUrl: url }],
});

test("a participant sees the clients of the account only, their subscriptions, and how the last notification went", async () => {
  const anna = await vtn.newParticipant();
  const viewer = await newBrowser(vtn, "participant-viewer", anna.accountId);
  const clients = async () => (await viewer.console(participantConsole.listOwnOpenadrClients)).body.items;
  expect(await clients()).toEqual([]);

  const ven = await vtn.ven({ participant: anna, name: "Gateway", targets: ["group-1"] });
  await vtn.ven();
  await vtn.bl();
  // Events of its sites are told before it subscribes.
  for (const follower of [PROJECTION, CALLBACKS]) await caughtUp(vtn.database.pool, follower);
  const receiver = await callbackReceiver();
  const { id } = await ven.subscriptions.made(eventsTo(receiver.url));
  const subscription = { id, name: "gateway", callback_urls: [receiver.url], pending_count: 0, last_attempt: null };
  expect(await clients()).toEqual([
    {
      id: ven.id,
      name: "Gateway",
      environment: "production",
      sites: "all",
      targets: ["group-1"],
      state: "active",
      // Noted within seconds of its first request.
      last_used_at: expect.toBeOneOf([null, expect.any(String)]),
      subscriptions: [subscription],
    },
  ]);

  const program = (await vtn.operator("POST", "/openadr3-programs", { name: "Alerts", public: true })).body;
  const alert = { program_id: program.id, payload_type: "ALERT_FIRE", end_time: null, message: "Fire" };
  const forAnna = { ...alert, targets: { accounts: [anna.accountId] } };
  expect(await vtn.operator("POST", "/openadr3-events", forAnna)).toMatchObject({ status: 201 });
  const last = async () => (await clients())[0]?.subscriptions[0];
  await expect.poll(last).toMatchObject({ pending_count: 0, last_attempt: { status: 200, error: null } });

  const others = await vtn.newParticipant();
  await vtn.operator("POST", "/openadr3-events", { ...alert, targets: { accounts: [others.accountId] } });
  receiver.answer = 503;
  await vtn.operator("POST", "/openadr3-events", forAnna);
  await expect.poll(last).toMatchObject({ pending_count: 1, last_attempt: { status: 503 } });
  expect(receiver.calls.map(({ body }) => body.object.targets)).toEqual([[anna.accountId], [anna.accountId]]);
  expect(Date.parse((await last())?.last_attempt?.at ?? "")).toBeLessThanOrEqual(Date.parse(ahead(vtn, { hours: 1 })));
});
