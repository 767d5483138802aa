import { freePort } from "@curtail/testing/free-port";
import { startBroker, withoutMosquitto } from "@curtail/testing/mosquitto";
import { expect, onTestFinished, test } from "vitest";
import { idleFolder, idleStatementsASecond } from "../support/idle-process.js";

/** The settings of an outside broker. */
const withBroker = async (folder: string): Promise<Record<string, string>> => {
  const broker = await startBroker(folder, await freePort());
  onTestFinished(() => broker.stop());
  return { CURTAIL_OPENADR3_MQTT_URL: broker.url, CURTAIL_OPENADR3_MQTT_ACCESS: "broker" };
};

test.skipIf(withoutMosquitto !== null)(
  "a process that also publishes to an outside broker, and has nothing to do, sends few statements",
  { timeout: 120_000 },
  async () => {
    const folder = await idleFolder();
    // 79 in 20 seconds; each of six that come every five seconds may come once more.
    expect(await idleStatementsASecond(folder, 20_000, await withBroker(folder))).toBeLessThanOrEqual(85 / 20);
  },
);
