import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { changesOf, dispatchEvents, objectsOf } from "../../support/openadr3-objects.js";
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

beforeAll(prepare);

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
      await expect.poll(durationOf, { timeout: 20_000 }).toBe(duration);
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
});
