import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { beforeAll, describe, expect, test } from "vitest";
import { connectedTo, mosquittoWithUsers, type Subscriber, topicsFor } from "../../support/mqtt-broker.js";
import { type Client31, runningVtn } from "../../support/openadr-3.js";

let bl: Client31;
let ven: Client31;

beforeAll(async () => {
  if (withoutMosquitto !== null) return;
  const broker = await mosquittoWithUsers();
  const vtn = await runningVtn(broker.settings);
  [bl, ven] = await Promise.all([vtn.bl(), vtn.ven()]);
});

const opened = async (): Promise<Subscriber> => connectedTo((await ven.notifiers()).body.MQTT.URIS[0], ven);

// The other six facts are about the suite's own classes for channels.
describe.skipIf(withoutMosquitto !== null)("a channel over MQTT (skipped without mosquitto)", () => {
  test("is connected once it is started, has heard nothing, and is not once it is stopped", async () => {
    const { client, heard } = await opened();
    expect([client.connected, heard]).toEqual([true, []]);
    await client.endAsync();
    expect(client.connected).toBe(false);
  });

  test("is connected as well with a function for its messages", async () => {
    const { client } = await opened();
    client.on("message", () => {});
    expect(client.connected).toBe(true);
  });

  test("hears of a program that is created after it has subscribed", async () => {
    const hears = await opened();
    await hears.subscribe(...(await topicsFor(ven, "programs")));
    const { id } = await bl.programs.made({ programName: "ChannelFlowTest" });
    const [told] = await hears.about(id);
    expect(told?.body).toMatchObject({ objectType: "PROGRAM", operation: "CREATE" });
  });
});
