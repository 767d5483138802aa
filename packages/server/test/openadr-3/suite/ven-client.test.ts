import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { beforeAll, describe, expect, test } from "vitest";
import { connectedTo, mosquittoWithUsers, topicsFor } from "../../support/mqtt-broker.js";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let ven: Client31;
let venId: string;
let programID: string;

beforeAll(async () => {
  if (withoutMosquitto !== null) return;
  const broker = await mosquittoWithUsers();
  vtn = await runningVtn(broker.settings);
  bl = await vtn.bl();
  ven = await vtn.ven();
  venId = (await ven.vens.made({ objectType: "VEN_VEN_REQUEST", venName: "ven1" })).id;
  programID = (await bl.programs.made({ programName: "Program1" })).id;
});

const connected = async () => connectedTo((await ven.notifiers()).body.MQTT.URIS[0], ven);

// What the suite asks of its own client library is not the VTN's; the rest is here.
describe.skipIf(withoutMosquitto !== null)("a VEN client (skipped without mosquitto)", () => {
  test("finds the ven that it registered, with its name", async () => {
    expect((await ven.vens.search({ venName: "ven1" })).body).toMatchObject([{ id: venId, venName: "ven1" }]);
  });

  test("finds the id of a program by its name, and none for a name that nobody has", async () => {
    const { body } = await ven.programs.search();
    const named = (name: string) => body.find(({ programName }: { programName: string }) => programName === name);
    expect(named("Program1")).toMatchObject({ id: programID });
    expect(named("NonexistentProgram99999")).toBeUndefined();
  });

  test("discovers the broker, with its addresses", async () => {
    const { body } = await ven.notifiers();
    expect(body).toMatchObject({ WEBHOOK: true, MQTT: { URIS: [expect.any(String)] } });
  });

  test("polls events, all or those of a program, each with its type", async () => {
    const intervals = [{ id: 0, payloads: [{ type: "PRICE", values: [1] }] }];
    const { id } = await bl.events.made({ programID, intervals });
    const found = expect.objectContaining({ id, objectType: "EVENT" });
    expect((await ven.events.search()).body).toContainEqual(found);
    expect((await ven.events.search({ programID })).body).toContainEqual(found);
  });

  test("gets the topics of its own ven", async () => {
    expect(await ven.topics("ven", venId)).toMatchObject({ status: 200, body: { topics: expect.any(Object) } });
  });

  test("connects to the broker", async () => {
    expect((await connected()).client.connected).toBe(true);
  });

  test("subscribes to the topics of programs", async () => {
    expect(await (await connected()).subscribe(...(await topicsFor(ven, "programs")))).toEqual([1, 1, 1, 1]);
  });
});
