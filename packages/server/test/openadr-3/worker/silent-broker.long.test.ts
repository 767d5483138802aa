import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { describe, expect, test, vi } from "vitest";
import { callbackReceiver } from "../../support/callback-receiver.js";
import { credentialsOf, mosquittoWithUsers, subscriberAt } from "../../support/mqtt-broker.js";
import { runningVtn } from "../../support/openadr-3.js";
import { newBroker, wayTo } from "../../support/way-to-broker.js";

describe.skipIf(withoutMosquitto !== null)(
  "a broker that is connected and does not answer (skipped without mosquitto)",
  () => {
    test("is given up in bounded time, delays no callback, and is told everything in order once it answers", {
      timeout: 60_000,
    }, async () => {
      const broker = await newBroker();
      const way = await wayTo(broker.port);
      const vtn = await runningVtn({ CURTAIL_OPENADR3_MQTT_URL: way.url, CURTAIL_OPENADR3_MQTT_ACCESS: "broker" });
      const [bl, receiver, hears] = [await vtn.bl(), await callbackReceiver(), await subscriberAt(broker.url, {})];
      await hears.subscribe("programs/#");
      await bl.subscriptions.made({
        clientName: "prices",
        objectOperations: [{ objects: ["PROGRAM"], operations: ["CREATE"], callbackUrl: receiver.url }],
      });
      const { id } = await bl.programs.made({ programName: "First" });
      await hears.about(id);
      way.isMute = true;
      const before = way.lost;
      for (let step = 1; step <= 3; step++) await bl.programs.update(id, { programName: `First ${step}` });
      const { id: other } = await bl.programs.made({ programName: "Other" });
      await receiver.notified(2);
      await expect.poll(() => way.lost, { timeout: 15_000 }).toBeGreaterThan(before);
      way.isMute = false;
      await hears.about(other, 1, 20_000);
      const updates = hears.heard.filter(({ topic, body }) => topic === "programs/update" && body.object.id === id);
      const names = updates.map(({ body }) => body.object.programName);
      expect([...new Set(names)]).toEqual(["First 1", "First 2", "First 3"]);
    });

    test("is given up in bounded time while it gives clients their rights, and gives them once it answers", {
      timeout: 120_000,
    }, async () => {
      const broker = await mosquittoWithUsers();
      const way = await wayTo(Number(new URL(broker.url).port));
      way.isMute = true;
      const vtn = await runningVtn({ ...broker.settings, CURTAIL_OPENADR3_MQTT_URL: way.url });
      const bl = await vtn.bl();
      const { id } = await bl.programs.made({ programName: "Waiting" });
      await expect.poll(() => way.lost, { timeout: 45_000 }).toBeGreaterThan(0);
      way.isMute = false;
      const hears = await vi.waitFor(async () => subscriberAt(broker.url, await credentialsOf(bl)), {
        timeout: 30_000,
        interval: 200,
      });
      await hears.subscribe("programs/#");
      await bl.programs.update(id, { programName: "Told" });
      await hears.about(id, 1, 20_000);
    });
  },
);
