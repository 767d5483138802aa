import { topics } from "@curtail/openadr-3";
import { beforeAll, describe, expect, test } from "vitest";
import { type Client31, MQTT, runningVtn, type Vtn } from "../../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let ven1: Client31;
let ven2: Client31;
let ven1Id: string;
let ven2Id: string;
let program1: string;
let program2: string;

beforeAll(async () => {
  vtn = await runningVtn({}, { mqttOf: () => MQTT });
  [bl, ven1, ven2] = await Promise.all([vtn.bl(), vtn.ven(), vtn.ven()]);
  ven1Id = (await ven1.vens.made({ objectType: "VEN_VEN_REQUEST", venName: "ven1" })).id;
  ven2Id = (await ven2.vens.made({ objectType: "VEN_VEN_REQUEST", venName: "ven2" })).id;
  program1 = (await bl.programs.made({ programName: "Program1" })).id;
  program2 = (await bl.programs.made({ programName: "Program2" })).id;
});

const each = {
  CREATE: expect.any(String),
  UPDATE: expect.any(String),
  DELETE: expect.any(String),
  ALL: expect.any(String),
};
const { CREATE: _none, ...withoutCreation } = each;

/** The topics of everybody, of a program and of a ven. */
const expectOwnTopics = async (client: Client31, ven: string, program: string): Promise<void> => {
  for (const [name, id] of [
    ["programs", undefined],
    ["programEvents", program],
    ["venPrograms", ven],
    ["venEvents", ven],
    ["venResources", ven],
  ] as const)
    expect(await client.topics(name, id)).toMatchObject({ status: 200, body: { topics: each } });
  for (const [name, id] of [
    ["program", program],
    ["ven", ven],
  ] as const)
    expect((await client.topics(name, id)).body.topics).toEqual(withoutCreation);
};

const ofAll = ["events", "reports", "subscriptions", "vens", "resources"] as const;

describe("MQTT topics", () => {
  test("are returned to each VEN for itself, and not those of all", async () => {
    await expectOwnTopics(ven1, ven1Id, program2);
    await expectOwnTopics(ven2, ven2Id, program1);
    for (const ven of [ven1, ven2])
      for (const name of ofAll) expect(await ven.topics(name)).toMatchObject({ status: 403 });
  });

  test("are returned to business logic, those of all included", async () => {
    await expectOwnTopics(bl, ven1Id, program1);
    for (const name of ofAll) expect(await bl.topics(name)).toMatchObject({ status: 200, body: { topics: each } });
  });

  test.each(Object.keys(topics) as (keyof typeof topics)[])(
    "of %s are closed to a token that is none",
    async (name) => {
      const id = name.startsWith("ven") ? ven1Id : program1;
      expect(await vtn.bad.topics(name, topics[name].path.includes("{id}") ? id : undefined)).toMatchObject({
        status: 403,
      });
    },
  );

  test("of a ven are not found by another VEN, nor those of an object that does not exist", async () => {
    for (const name of ["ven", "venPrograms", "venEvents", "venResources"] as const)
      expect(await ven2.topics(name, ven1Id)).toMatchObject({ status: 404 });
    expect(await bl.topics("program", "nonexistent")).toMatchObject({ status: 404 });
    expect(await bl.topics("ven", program1)).toMatchObject({ status: 404 });
  });

  test("are not found without a broker", async () => {
    const alone = await runningVtn();
    const other = await alone.bl();
    for (const name of [...ofAll, "programs"] as const) expect(await other.topics(name)).toMatchObject({ status: 404 });
  });
});
