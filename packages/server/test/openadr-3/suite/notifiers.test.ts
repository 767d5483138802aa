import { beforeAll, expect, test } from "vitest";
import { MQTT, runningVtn, type Vtn } from "../../support/openadr-3.js";

let withBroker: Vtn;

beforeAll(async () => {
  withBroker = await runningVtn({}, { mqttOf: () => MQTT });
});

test("a VEN learns how it can be notified: by webhooks, and over the broker", async () => {
  expect(await (await withBroker.ven()).notifiers()).toMatchObject({ status: 200, body: { WEBHOOK: true, MQTT } });
});

test("without a broker there are webhooks only", async () => {
  const vtn = await runningVtn();
  expect((await (await vtn.ven()).notifiers()).body).toEqual({ WEBHOOK: true });
});
