import { operator } from "@curtail/contract";
import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { connectAsync } from "mqtt";
import { beforeAll, describe, expect, test } from "vitest";
import { PROJECTION } from "../../../src/openadr-3/domain/projection.js";
import { OUTSIDE_BROKER } from "../../../src/openadr-3/operations/broker-conditions.js";
import { caughtUp } from "../../support/caught-up.js";
import { newProgram } from "../../support/dispatching.js";
import { connectedTo, credentialsOf, type Subscriber, topicsFor, venIdOf } from "../../support/mqtt-broker.js";
import {
  bl,
  blHears,
  broker,
  intervals,
  name,
  ofVen,
  prepare,
  programID,
  topicsOf,
  ven,
  venHears,
  venId,
  vtn,
} from "../../support/outside-broker.js";

describe.skipIf(withoutMosquitto !== null)("an outside broker (skipped without mosquitto)", () => {
  beforeAll(prepare);

  test("hears of the change of a ven and of one program, on their own topics", async () => {
    await ven.vens.update(venId, { objectType: "VEN_VEN_REQUEST", venName: name("ven") });
    const told = await venHears.about(venId);
    expect(topicsOf(told)).toEqual(ofVen(`vens/${venId}/update`));
    await bl.programs.update(programID, { programName: name("Program") });
    const updates = (await venHears.about(programID, 3)).filter(({ body }) => body.operation === "UPDATE");
    expect(topicsOf(updates)).toEqual(
      ofVen("programs/update", `programs/${programID}/update`, `vens/${venId}/programs/update`).sort(),
    );
  });

  test("tells a VEN that an event is gone which it sees no more, and nobody else", async () => {
    const [north, south] = [await vtn.ven({ targets: ["north"] }), await vtn.ven({ targets: ["south"] })];
    const hears = await Promise.all([north, south].map((each) => connectedTo(broker.url, each)));
    for (const [index, each] of [north, south].entries()) {
      await hears[index]?.subscribe(...(await topicsFor(each, "venEvents", await venIdOf(each))));
      await hears[index]?.subscribe(...(await topicsFor(each, "programEvents", programID)));
    }
    const { id } = await bl.events.made({ programID, intervals: intervals(), targets: ["north", "south"] });
    await bl.events.update(id, { programID, intervals: intervals([2]), targets: ["south"] });
    const operations = async (each: Subscriber | undefined, many: number) =>
      (await each?.about(id, many))?.map(({ body }) => [body.operation, body.object.targets]);
    const [created, deleted] = [
      ["CREATE", ["north"]],
      ["DELETE", ["north"]],
    ];
    expect((await operations(hears[0], 4))?.toSorted()).toEqual([created, created, deleted, deleted]);
    expect(new Set((await operations(hears[1], 4))?.map(([operation]) => operation))).toEqual(
      new Set(["CREATE", "UPDATE"]),
    );
    await bl.events.remove(id);
    expect(new Set((await operations(hears[0], 4))?.map(([operation]) => operation))).toEqual(
      new Set(["CREATE", "DELETE"]),
    );
    expect(
      (await blHears.about(id, 3)).filter(({ topic }) => topic.startsWith("events/")).map(({ topic }) => topic),
    ).toEqual(["events/create", "events/update", "events/delete"]);
  });

  test("tells a VEN nothing of a program that its account has nothing in", async () => {
    const [enrolled, other] = [await vtn.newParticipant(), await vtn.newParticipant()];
    const [sees, foreign] = [await vtn.ven({ participant: enrolled }), await vtn.ven({ participant: other })];
    const programId = await newProgram(vtn, [enrolled], { name: name("Program") });
    const [seesHears, foreignHears] = [await connectedTo(broker.url, sees), await connectedTo(broker.url, foreign)];
    await seesHears.subscribe(...(await topicsFor(sees, "programs")));
    await foreignHears.subscribe(...(await topicsFor(foreign, "programs")));
    // Renamed before its object is made, it would be made with its new name.
    await caughtUp(vtn.database.pool, PROJECTION);
    await vtn.made(operator.changeProgram, { params: { id: programId }, body: { name: name("Renamed") } });
    const { id } = await bl.programs.made({ programName: name("Program") });
    await expect.poll(() => seesHears.heard.filter(({ topic }) => topic.endsWith("update"))).toHaveLength(1);
    await foreignHears.about(id);
    const { id: after } = await bl.programs.made({ programName: name("Program") });
    await foreignHears.about(after);
    expect(foreignHears.heard.filter(({ body }) => body.object.id !== id && body.object.id !== after)).toEqual([]);
  });

  test("tells a VEN of a program for its account alone", async () => {
    const participant = await vtn.newParticipant();
    const meant = await vtn.ven({ participant });
    const hears = await connectedTo(broker.url, meant);
    await hears.subscribe(...(await topicsFor(meant, "programs")));
    const { id } = await bl.programs.made({ programName: name("Program"), targets: [participant.accountId] });
    expect((await hears.about(id))[0]?.body.object.targets).toEqual([participant.accountId]);
    expect(venHears.heard.filter(({ body }) => body.object.id === id)).toEqual([]);
  });

  test("takes nothing from a VEN or business logic", async () => {
    const topic = `clients/${ven.id}/programs/create`;
    const forged = JSON.stringify({ objectType: "PROGRAM", operation: "CREATE", object: { id: "forged" } });
    for (const { client } of [venHears, blHears]) await client.publishAsync(topic, forged, { qos: 1 });
    const { id } = await bl.programs.made({ programName: name("Program") });
    await venHears.about(id);
    expect(venHears.heard.filter(({ body }) => body.object.id === "forged")).toEqual([]);
  });

  test("refuses who has no user, a wrong password, or another's", async () => {
    const { username } = await credentialsOf(ven);
    const { password } = await credentialsOf(bl);
    for (const credentials of [{}, { username, password: "wrong" }, { username, password }])
      await expect(connectAsync(broker.url, credentials, false)).rejects.toThrow(/not authorized/i);
  });

  test("is told a change again if that it was told could not be recorded", async () => {
    const { pool } = vtn.database;
    await pool.query(`create function refuse_record() returns trigger language plpgsql as $$
      begin raise exception 'the record fails'; end $$`);
    await pool.query(`create trigger refuses before update of seen on followers
      for each row when (new.name = '${OUTSIDE_BROKER}') execute function refuse_record()`);
    const { id } = await bl.programs.made({ programName: name("Program") });
    await blHears.about(id, 2);
    await pool.query("drop trigger refuses on followers");
    const { id: next } = await bl.programs.made({ programName: name("Program") });
    await blHears.about(next);
    await caughtUp(pool, OUTSIDE_BROKER);
  });

  test("is told each change once by two processes", async () => {
    await vtn.another();
    const ids = [];
    for (let step = 0; step < 20; step++) ids.push((await bl.programs.made({ programName: name("Program") })).id);
    for (const id of ids) {
      const heard = (await blHears.about(id)).filter(({ topic }) => topic === "programs/create");
      expect(heard.length).toBe(1);
    }
  });
});
