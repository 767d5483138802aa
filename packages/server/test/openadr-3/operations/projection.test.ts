import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { transactOver } from "../../../src/app/stores.js";
import { projectDispatch } from "../../../src/openadr-3/operations/project-dispatch.js";
import { newId } from "../../../src/platform/runtime/secrets.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { addVenClient, changesOf, dispatchEvents, objectsOf } from "../../support/openadr3-objects.js";
import {
  change,
  dispatched,
  evidenceOf,
  participantWithVen,
  prepare,
  rename,
  service,
} from "../../support/projection.js";
import { testSecretBox } from "../../support/secret-box.js";

beforeAll(prepare);

const programNamed = async (name: string) =>
  (await objectsOf(service, "PROGRAM")).find(
    (program) => program.environment === "production" && program.name === name,
  );

describe("programs", () => {
  test("become objects, with who offers them, and follow a new name", async () => {
    const id = await newProgram(service, [], { name: "Follow Me" });
    await expect.poll(() => programNamed("Follow Me")).toBeDefined();
    const program = await programNamed("Follow Me");
    expect(program).toMatchObject({ source: "program", source_id: id, targets: [id] });
    expect(program.body.attributes).toContainEqual({ type: "RETAILER_NAME", values: ["Gridworks"] });
    expect(program.body.attributes).toContainEqual({ type: "PRINCIPAL_SUBDIVISION", values: ["US-TX"] });
    await service.made(operator.changeProgram, { params: { id }, body: { name: "Followed" } });
    await expect.poll(() => programNamed("Followed")).toMatchObject({ id: program.id });
  });

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
  test("become resources that grant their own name, with one event that asks for telemetry", async () => {
    const { participant, client } = await participantWithVen({ sites: [["m"], ["m"]] });
    const [first, second] = participant.sites;
    await rename(first?.id ?? "", "store-1");
    await expect
      .poll(async () => (await objectsOf(service, "RESOURCE", client.venId)).map(({ name }) => name))
      .toEqual(["store-1", second?.id]);
    const [resource] = await objectsOf(service, "RESOURCE", client.venId);
    expect(resource).toMatchObject({
      client_id: client.id,
      targets: ["store-1"],
      source: "site",
      source_id: first?.id,
    });
    const [request, ...others] = await objectsOf(service, "EVENT", client.venId);
    expect(others).toEqual([]);
    expect(request).toMatchObject({ source: "client", source_id: client.id, targets: ["store-1", second?.id] });
    expect(request.transpires_at).toBeNull();
  });

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
  test("becomes one event for each VEN, with the VEN's own sites", async () => {
    const [one, two] = [await participantWithVen(), await participantWithVen()];
    const program = await newProgram(service, [one.participant, two.participant], { commitment: 80 });
    const dispatch = await newDispatch(service, program);
    for (const { participant, client } of [one, two]) {
      await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
      const [event] = await dispatchEvents(service, client.venId);
      expect(event.source_id).toBe(dispatch.id);
      expect(event.targets).toEqual(participant.sites.map(({ id }) => id));
      expect(event.body.intervals[0].payloads).toEqual([
        { type: "DISPATCH_SETPOINT_RELATIVE", values: [-80] },
        { type: "SIMPLE", values: [2] },
      ]);
      expect(event.body.intervalPeriod).toEqual({ start: ahead(service, { hours: 1 }), duration: "P1D" });
    }
  });

  test("without an end has an event that is prolonged before it ends, and no other state is told", async () => {
    const { client, dispatch } = await dispatched();
    await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
    const [{ id, body }] = await dispatchEvents(service, client.venId);
    const durationOf = async () => (await dispatchEvents(service, client.venId))[0]?.body.intervalPeriod.duration;
    expect(body.intervalPeriod.duration).toBe("P1D");
    for (const duration of ["P2D", "P3D"]) {
      service.clock.advance({ hours: 24 });
      await expect.poll(durationOf, { timeout: 5000 }).toBe(duration);
    }
    expect(await dispatchEvents(service, client.venId)).toMatchObject([{ id, source_id: dispatch.id }]);
    expect(await evidenceOf(client.id)).toEqual([["CREATE", 0]]);
    await change(dispatch.id, { end_time: ahead(service, { hours: 2 }) });
    await expect.poll(durationOf).toBe("P2DT1H");
    service.clock.advance({ days: 2 });
    await newProgram(service, [], { name: "Any other" });
    expect(await durationOf()).toBe("P2DT1H");
  });

  test("appears at its notification time and never before, in its state of then", async () => {
    const { client, dispatch } = await dispatched({ notification_time: ahead(service, { minutes: 10 }) });
    await change(dispatch.id, { start_time: ahead(service, { hours: 2 }) });
    service.clock.advance({ minutes: 9 });
    await newProgram(service, [], { name: "Something else" });
    await expect.poll(() => programNamed("Something else")).toBeDefined();
    expect(await dispatchEvents(service, client.venId)).toEqual([]);
    service.clock.advance({ minutes: 1 });
    await expect.poll(() => dispatchEvents(service, client.venId)).toHaveLength(1);
    expect(
      (await changesOf(service, "EVENT", client.venId)).filter(({ source_id }) => source_id === dispatch.id),
    ).toMatchObject([{ operation: "CREATE" }]);
    expect(await evidenceOf(client.id)).toEqual([["CREATE", 1]]);
  });

  test("that changes, ends early and is cancelled is updated, shortened and deleted; its evidence stays", async () => {
    const { client, dispatch } = await dispatched({ end_time: ahead(service, { hours: 3 }) });
    const event = async () => (await dispatchEvents(service, client.venId))[0];
    await expect.poll(event).toBeDefined();
    const created = await event();
    await change(dispatch.id, { end_time: ahead(service, { hours: 4 }) });
    await expect.poll(async () => (await event()).body.intervalPeriod.duration).toBe("PT3H");
    const changed = await event();
    expect(changed.id).toBe(created.id);
    expect(changed.created_at).toEqual(created.created_at);
    expect(changed.modified_at.getTime()).toBeGreaterThan(created.modified_at.getTime());
    service.clock.advance({ minutes: 90 });
    await change(dispatch.id, { end_time: ahead(service, { minutes: 15 }) });
    await expect.poll(async () => (await event()).body.intervalPeriod.duration).toBe("PT45M");
    await change(dispatch.id, { authorized: false });
    await expect.poll(event).toBeUndefined();
    expect(await evidenceOf(client.id)).toEqual([
      ["CREATE", 0],
      ["UPDATE", 1],
      ["UPDATE", 2],
      ["DELETE", 3],
    ]);
    const told = (await changesOf(service, "EVENT", client.venId)).filter(({ source_id }) => source_id === dispatch.id);
    expect(told.map(({ operation }) => operation)).toEqual(["CREATE", "UPDATE", "UPDATE", "DELETE"]);
    expect(told.at(-1).object).toMatchObject({ id: created.id, objectType: "EVENT" });
  });

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
