import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { transactOver } from "../../../src/app/stores.js";
import { projectDispatch } from "../../../src/openadr-3/operations/project-events.js";
import { newId } from "../../../src/platform/runtime/secrets.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { addVenClient, changesOf, dispatchEvents, objectsOf } from "../../support/openadr3-objects.js";
import {
  change,
  dispatched,
  evidenceOf,
  participantWithVen,
  prepare,
  programNamed,
  rename,
  service,
} from "../../support/projection.js";
import { running } from "../../support/running.js";
import { testSecretBox } from "../../support/secret-box.js";

beforeAll(prepare);

describe("sites", () => {
  test("may exchange their names", async () => {
    const { participant, client } = await participantWithVen({ sites: [["m"], ["m"]] });
    const [first, second] = participant.sites.map(({ id }) => id);
    await rename(first ?? "", "east");
    await rename(second ?? "", "west");
    const names = async () => (await objectsOf(service, "RESOURCE", client.venId)).map(({ name }) => name);
    await expect.poll(names).toEqual(["east", "west"]);
    await service.database.pool.query(
      `with renamed as (
         update sites set customer_location_id = case id when $1 then 'west' else 'east' end where id in ($1, $2) returning id
       ) select note_change('site.change', id) from renamed`,
      [first, second],
    );
    await expect.poll(names).toEqual(["west", "east"]);
  });

  test("of which a client has only some are its only resources", async () => {
    const participant = await service.newParticipant({ sites: [["m"], ["m"]] });
    const [first, second] = participant.sites.map(({ id }) => id);
    const client = await addVenClient(service, participant, { sites: [second ?? ""] });
    await expect.poll(() => objectsOf(service, "RESOURCE", client.venId)).toMatchObject([{ source_id: second }]);
    await service.made(operator.changeOpenadrClient, { params: { id: client.id }, body: { sites: [first ?? ""] } });
    await expect.poll(() => objectsOf(service, "RESOURCE", client.venId)).toMatchObject([{ source_id: first }]);
  });
});

describe("a dispatch", () => {
  test("without an end is prolonged late if nothing ran in time", async () => {
    const { participant, client } = await dispatched();
    await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
    const [{ id }] = await dispatchEvents(service, client.venId);
    await service.database.pool.query("update openadr3_objects set transpires_at = '2020-01-01' where id = $1", [id]);
    await rename(participant.sites[0]?.id ?? "", `renamed ${id}`);
    await expect
      .poll(async () => (await dispatchEvents(service, client.venId)).map((each) => each.transpires_at > new Date()))
      .toEqual([true]);
    expect(await dispatchEvents(service, client.venId)).toMatchObject([{ id }]);
  });

  test("that is cancelled before it was visible never appears", async () => {
    const { client, dispatch } = await dispatched({ notification_time: ahead(service, { minutes: 10 }) });
    await change(dispatch.id, { authorized: false });
    service.clock.advance({ minutes: 11 });
    const { client: other } = await dispatched();
    await expect.poll(() => dispatchEvents(service, other.venId)).toHaveLength(1);
    expect(await dispatchEvents(service, client.venId)).toEqual([]);
    expect(await evidenceOf(client.id)).toEqual([]);
  });

  test("that is voided after its end is deleted as well", async () => {
    const { client, dispatch } = await dispatched({
      start_time: ahead(service, { minutes: 1 }),
      end_time: ahead(service, { minutes: 2 }),
    });
    await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
    service.clock.advance({ minutes: 5 });
    await change(dispatch.id, { authorized: false, void_reason: "issued by mistake" });
    await expect.poll(() => dispatchEvents(service, client.venId)).toEqual([]);
  });

  test("without commitments has no setpoint", async () => {
    const { client } = await dispatched({}, { commitment: null });
    await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
    const [event] = await dispatchEvents(service, client.venId);
    expect(event.body.intervals[0].payloads).toEqual([{ type: "SIMPLE", values: [2] }]);
  });

  test("that runs reaches a client that is created meanwhile; one that is over does not", async () => {
    const participant = await service.newParticipant();
    const program = await newProgram(service, [participant]);
    const over = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { minutes: 2 }) };
    await newDispatch(service, program, over);
    const running = await newDispatch(service, program, { start_time: ahead(service, { minutes: 1 }) });
    service.clock.advance({ minutes: 30 });
    const client = await addVenClient(service, participant);
    await expect.poll(() => dispatchEvents(service, client.venId)).toMatchObject([{ source_id: running.id }]);
    expect(await evidenceOf(client.id)).toEqual([["CREATE", 0]]);
  });

  test("that is over makes no event for a client that was created since, though it is followed late", async () => {
    const {
      participant,
      client: first,
      dispatch,
    } = await dispatched({
      start_time: ahead(service, { minutes: 1 }),
      end_time: ahead(service, { minutes: 2 }),
    });
    await expect.poll(() => dispatchEvents(service, first.venId)).toHaveLength(1);
    service.clock.advance({ minutes: 30 });
    const late = await addVenClient(service, participant);
    await expect.poll(() => objectsOf(service, "RESOURCE", late.venId)).toHaveLength(2);
    const projected = await projectDispatchAt(service.clock.now(), dispatch.id);
    expect(projected).toBe(false);
    expect(await dispatchEvents(service, late.venId)).toEqual([]);
    // Those that have its event keep it.
    expect(await dispatchEvents(service, first.venId)).toMatchObject([{ source_id: dispatch.id }]);
  });

  test("follows the new name of a resource, which is no new state of it", async () => {
    const { participant, client } = await dispatched();
    await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
    await rename(participant.sites[0]?.id ?? "", "harbour");
    await expect.poll(async () => (await dispatchEvents(service, client.venId))[0].targets).toContain("harbour");
    expect(await evidenceOf(client.id)).toEqual([["CREATE", 0]]);
  });

  test("is not told while an account is disabled, and is once it is enabled again", async () => {
    const { participant, client } = await dispatched();
    await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
    const disable = (disabled: boolean) =>
      service.made(operator.changeAccount, { params: { id: participant.accountId }, body: { disabled } });
    const { participant: other, program } = await dispatched();
    await service.made(operator.enrolSite, {
      params: { id: program, site_id: participant.sites[0]?.id ?? "" },
      body: { commitment: 1 },
    });
    const late = await newDispatch(service, program, { notification_time: ahead(service, { minutes: 10 }) });
    await disable(true);
    service.clock.advance({ minutes: 10 });
    const [observer] = [await addVenClient(service, other)];
    await expect.poll(() => dispatchEvents(service, observer.venId)).toHaveLength(2);
    expect(await dispatchEvents(service, client.venId)).toHaveLength(1);
    await disable(false);
    await expect
      .poll(async () => (await dispatchEvents(service, client.venId)).map(({ source_id }) => source_id))
      .toContain(late.id);
  });
});

/** Makes the events of a dispatch follow it, as after a notice that was read late. */
const projectDispatchAt = (at: Date, id: string) =>
  transactOver(
    service.database.pool,
    testSecretBox,
  )((stores) => projectDispatch(stores, { environment: "production", at, newId }, id));

describe("several processes, and a restart", () => {
  test("make one event of each dispatch, and tell it once", async () => {
    const { participant, client } = await participantWithVen();
    const program = await newProgram(service, [participant]);
    await service.another();
    await service.another();
    const dispatches = await Promise.all(Array.from({ length: 8 }, () => newDispatch(service, program)));
    await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(8);
    const changes = (await changesOf(service, "EVENT", client.venId)).filter(
      ({ source_id }) => source_id !== client.id,
    );
    expect(changes.map(({ operation }) => operation)).toEqual(dispatches.map(() => "CREATE"));
  });

  test("make up for what happened while none of them ran", async () => {
    const own = await running();
    const participant = await own.newParticipant();
    const client = await addVenClient(own, participant);
    const program = await newProgram(own, [participant]);
    const dispatch = await newDispatch(own, program, { notification_time: ahead(own, { minutes: 5 }) });
    await own.stop();
    own.clock.advance({ minutes: 30 });
    await own.another();
    await expect.poll(() => dispatchEvents(own, client.venId)).toMatchObject([{ source_id: dispatch.id }]);
  });
});

describe("programs", () => {
  test("that have the same name are told apart by their ids", async () => {
    await newProgram(service, [], { name: "Twin" });
    const second = await newProgram(service, [], { name: "Twin" });
    await expect.poll(() => programNamed(second)).toMatchObject({ source_id: second });
    expect((await programNamed(second)).body.attributes).toContainEqual({
      type: "PROGRAM_LONG_NAME",
      values: ["Twin"],
    });
  });

  test("of tests, of telemetry and of the sandbox are there from the start", async () => {
    await expect.poll(() => programNamed("Test dispatch")).toBeDefined();
    const all = await objectsOf(service, "PROGRAM");
    expect(all.filter(({ environment }) => environment === "sandbox").map(({ name }) => name)).toEqual([
      "Sandbox scenarios",
      "Telemetry",
    ]);
  });
});

describe("sites", () => {
  test("that move to another account leave its VENs, and their events", async () => {
    const { participant, client } = await participantWithVen({ sites: [["m"], ["m"]] });
    const { participant: other, client: othersClient } = await participantWithVen();
    const [moved, kept] = participant.sites.map(({ id }) => id);
    const program = await newProgram(service, [participant]);
    await newDispatch(service, program);
    await expect.poll(() => dispatchEvents(service, client.venId)).toMatchObject([{ targets: [moved, kept] }]);
    await service.database.pool.query(
      "with moved as (update sites set account_id = $2 where id = $1 returning id) select note_change('site.change', id) from moved",
      [moved, other.accountId],
    );
    await expect.poll(() => dispatchEvents(service, client.venId)).toMatchObject([{ targets: [kept] }]);
    await expect
      .poll(async () => (await objectsOf(service, "RESOURCE", othersClient.venId)).map(({ source_id }) => source_id))
      .toContain(moved);
    expect(await dispatchEvents(service, othersClient.venId)).toEqual([]);
  });
});

describe("a dispatch", () => {
  test("that is a test belongs to the program of tests", async () => {
    const { client } = await dispatched({ test: true });
    await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
    const [event] = await dispatchEvents(service, client.venId);
    expect(event.program_id).toBe((await programNamed("Test dispatch")).id);
    expect(event.name).toMatch(/^TEST Peak dis_/);
  });

  test("is not told to a client that was revoked, whose objects are gone", async () => {
    const { participant, client, program } = await dispatched();
    await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
    await service.made(operator.revokeOpenadrClient, { params: { id: client.id } });
    await expect.poll(() => objectsOf(service, "RESOURCE", client.venId)).toEqual([]);
    const fresh = await addVenClient(service, participant);
    await newDispatch(service, program);
    await expect.poll(() => dispatchEvents(service, fresh.venId)).toHaveLength(2);
    expect(await objectsOf(service, "EVENT", client.venId)).toEqual([]);
  });
});

test("a change that is committed while the event follows the state before is followed next", async () => {
  const { participant, client } = await participantWithVen();
  const { id } = await newDispatch(service, await newProgram(service, [participant]));
  await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
  const transact = transactOver(service.database.pool, testSecretBox);
  await transact(async (stores) => {
    const { openadr3Sources: sources } = stores;
    const dispatch = async (dispatchId: string) => {
      const found = await sources.dispatch(dispatchId);
      await change(id, { authorized: false });
      return found;
    };
    const projecting = { environment: "production", at: service.clock.now(), newId } as const;
    return projectDispatch({ ...stores, openadr3Sources: { ...sources, dispatch } }, projecting, id);
  });
  await expect.poll(() => dispatchEvents(service, client.venId)).toEqual([]);
});
