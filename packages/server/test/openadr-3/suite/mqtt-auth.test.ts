import { operator } from "@curtail/contract";
import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { connectAsync } from "mqtt";
import { beforeAll, describe, expect, test } from "vitest";
import {
  connectedTo,
  credentialsOf,
  mosquittoWithUsers,
  type Subscriber,
  type TestBroker,
  topicsFor,
  venIdOf,
} from "../../support/mqtt-broker.js";
import { type Client31, runningVtn, type Secret31, type Vtn } from "../../support/openadr-3.js";

describe.skipIf(withoutMosquitto !== null)("a broker with users (skipped without mosquitto)", () => {
  let broker: TestBroker;
  let vtn: Vtn;
  let bl: Client31;
  let ven1: Client31 & Secret31;
  let ven2: Client31 & Secret31;
  let ven1Hears: Subscriber;

  const refused = (credentials: object) =>
    expect(connectAsync(broker.url, credentials, false)).rejects.toThrow(/not authorized/i);

  beforeAll(async () => {
    broker = await mosquittoWithUsers();
    vtn = await runningVtn(broker.settings);
    [bl, ven1, ven2] = await Promise.all([vtn.bl(), vtn.ven({ targets: ["ven1"] }), vtn.ven({ targets: ["ven2"] })]);
    ven1Hears = await connectedTo(broker.url, ven1);
  });

  // The suite's user name is that of the reference implementation, `ven-` and the id of the ven.
  test("gives a VEN a user name and a password", async () => {
    expect((await ven1.notifiers()).body.MQTT.authentication).toEqual({
      method: "OAUTH2_BEARER_TOKEN",
      username: ven1.id,
      password: expect.any(String),
    });
  });

  test("gives business logic no credentials of a VEN", async () => {
    expect((await credentialsOf(bl)).username).not.toMatch(/^ven-/);
  });

  test("gives each VEN others", async () => {
    const [one, two] = await Promise.all([credentialsOf(ven1), credentialsOf(ven2)]);
    expect(one.username).not.toBe(two.username);
    expect(one.password).not.toBe(two.password);
  });

  test("accepts them", () => {
    expect(ven1Hears.client.connected).toBe(true);
  });

  test("refuses a wrong password", async () => {
    await refused({ ...(await credentialsOf(ven1)), password: "wrong-password" });
  });

  test("refuses who is anonymous", async () => {
    await refused({});
  });

  test("lets a VEN hear of programs", async () => {
    await ven1Hears.subscribe(...(await topicsFor(ven1, "programs")));
    const { id } = await bl.programs.made({ programName: "DynsecACLTestProg" });
    await ven1Hears.about(id);
  });

  test("lets a VEN hear of programs for it on the topics of its ven", async () => {
    await ven1Hears.subscribe(...(await topicsFor(ven1, "venPrograms", await venIdOf(ven1))));
    const { id } = await bl.programs.made({ programName: "DynsecTargetProg", targets: ["ven1"] });
    const heard = await ven1Hears.about(id, 2);
    expect(heard.some(({ topic }) => topic.includes("/vens/"))).toBe(true);
  });

  test("lets a VEN hear nothing on the topics of another", async () => {
    const topics = await topicsFor(ven2, "venPrograms", await venIdOf(ven2));
    expect(new Set(await ven1Hears.subscribe(...topics))).toEqual(new Set([128]));
    const hidden = await bl.programs.made({ programName: "DynsecACLCrossProg", targets: ["ven2"] });
    const { id } = await bl.programs.made({ programName: "For all" });
    await ven1Hears.about(id);
    expect(ven1Hears.heard.map(({ body }) => body.object.id)).not.toContain(hidden.id);
  });

  // The suite deletes the ven, which stays as long as its client here.
  test("refuses the credentials of a VEN that was revoked", async () => {
    const credentials = await credentialsOf(ven1);
    const closed = new Promise<void>((resolve) => ven1Hears.client.once("close", resolve));
    await vtn.made(operator.revokeOpenadrClient, { params: { id: ven1.id } });
    await closed;
    await refused(credentials);
  });
});
