import { beforeAll, describe, expect, test } from "vitest";
import { type CallbackReceiver, callbackReceiver } from "../../support/callback-receiver.js";
import { type Client31, runningVtn } from "../../support/openadr-3.js";

let bl: Client31;
let ven: Client31;
let programID: string;

beforeAll(async () => {
  const vtn = await runningVtn();
  [bl, ven] = await Promise.all([vtn.bl(), vtn.ven()]);
  programID = (await bl.programs.made({ programName: "Program1" })).id;
});

const subscribed = async (object: string, operation: string): Promise<CallbackReceiver> => {
  const receiver = await callbackReceiver();
  const entry = { objects: [object], operations: [operation], callbackUrl: receiver.url, bearerToken: "test-token" };
  await ven.subscriptions.made({ programID, clientName: "client", objectOperations: [entry] });
  return receiver;
};

describe("a webhook", () => {
  test("is called when an event is created, on its path, with the event", async () => {
    const receiver = await subscribed("EVENT", "CREATE");
    const intervals = [{ id: 0, payloads: [{ type: "PRICE", values: [1.5] }] }];
    const { id } = await bl.events.made({ programID, intervals });
    const [call] = await receiver.notified(1);
    expect(call).toMatchObject({
      path: new URL(receiver.url).pathname,
      body: { objectType: "EVENT", operation: "CREATE", object: { id, objectType: "EVENT", programID } },
    });
  });

  test("is called when a program is created", async () => {
    const receiver = await subscribed("PROGRAM", "CREATE");
    await bl.programs.made({ programName: "WebhookProgTest" });
    const [call] = await receiver.notified(1);
    expect(call?.body).toMatchObject({
      objectType: "PROGRAM",
      operation: "CREATE",
      object: { programName: "WebhookProgTest" },
    });
  });

  test("is called when a program is deleted", async () => {
    const { id } = await bl.programs.made({ programName: "WebhookProgDelete" });
    const receiver = await subscribed("PROGRAM", "DELETE");
    await bl.programs.remove(id);
    const [call] = await receiver.notified(1);
    expect(call?.body).toMatchObject({ objectType: "PROGRAM", operation: "DELETE", object: { id } });
  });
});
