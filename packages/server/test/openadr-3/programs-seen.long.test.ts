import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { CALLBACKS } from "../../src/openadr-3/operations/queue-notifications.js";
import { caughtUp } from "../support/caught-up.js";
import { ahead, newDispatch, newProgram } from "../support/dispatching.js";
import { eventOf } from "../support/openadr3-vens.js";
import {
  anna,
  bert,
  bl,
  intervals,
  objectOf,
  operationsOn,
  prepare,
  sees,
  subscribed,
  vtn,
} from "../support/programs-seen.js";

beforeAll(prepare);

const mark = (programId: string, isPublic: boolean) =>
  vtn.made(operator.changeProgram, { params: { id: programId }, body: { public: isPublic } });

let count = 0;
const ownProgram = (body: object = {}) =>
  vtn.made(operator.createOpenadrProgram, { body: { name: `Own ${++count}`, ...body } });
const alert = (program_id: string, targets: object) => ({
  program_id,
  payload_type: "ALERT_OTHER",
  message: "Storm",
  end_time: null,
  targets,
});
const ownEvent = async (programId: string, targets: object): Promise<{ readonly id: string }> => {
  const answer = await vtn.operator("POST", "/openadr3-events", alert(programId, targets));
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};

describe("a program of the service", () => {
  test("is seen where the VEN has an event of a dispatch in it, also after the enrolment", async () => {
    const programId = await newProgram(vtn, [bert.participant], { name: "Dispatched" });
    const { id: dispatchId } = await newDispatch(vtn, programId);
    await eventOf(vtn, bert, dispatchId);
    for (const { id: site_id } of bert.participant.sites)
      await vtn.operator("DELETE", `/programs/${programId}/sites/${site_id}?confirm_running=true`);
    const id = await objectOf(programId);
    expect(await sees(bert.ven, id)).toBe(true);
    expect(await sees(anna.ven, id)).toBe(false);
  });

  test("is seen by all while it is public; who sees it no more is told that it is gone", async () => {
    const id = await objectOf(anna.programId);
    const [annas, berts] = [await subscribed(anna.ven), await subscribed(bert.ven)];
    const told = (receiver: typeof annas) =>
      receiver.calls.filter(({ body }) => body.object.id === id).map(({ body }) => body.operation);
    expect(await mark(anna.programId, true)).toMatchObject({ public: true });
    await expect.poll(() => sees(bert.ven, id)).toBe(true);
    await expect.poll(() => told(berts)).toEqual(["UPDATE"]);
    await mark(anna.programId, false);
    await expect.poll(() => told(berts)).toEqual(["UPDATE", "DELETE"]);
    await expect.poll(() => told(annas)).toEqual(["UPDATE", "UPDATE"]);
    expect(await sees(bert.ven, id)).toBe(false);
  });

  test("is seen by each client of its account, whatever its targets", async () => {
    const id = await objectOf(anna.programId);
    const other = await vtn.ven({ participant: anna.participant, targets: ["roof"] });
    expect(await sees(other, id)).toBe(true);
  });

  test("that the service adds is seen by all", async () => {
    const names = (await bert.ven.programs.search()).body.map(
      ({ programName }: { readonly programName: string }) => programName,
    );
    expect(names).toEqual(expect.arrayContaining(["Test dispatch", "Telemetry"]));
  });
});

describe("a program of the operator's own", () => {
  test("is seen by VENs that see one of its events by its targets, unless it is public", async () => {
    const { id } = await ownProgram();
    expect(await sees(anna.ven, id)).toBe(false);
    const { id: event } = await ownEvent(id, { accounts: [anna.participant.accountId] });
    expect(await sees(anna.ven, id)).toBe(true);
    expect(await sees(bert.ven, id)).toBe(false);
    expect(await vtn.operator("DELETE", `/openadr3-events/${event}`)).toMatchObject({ status: 204 });
    expect(await sees(anna.ven, id)).toBe(false);
    await vtn.made(operator.changeOpenadrProgram, { params: { id }, body: { public: true } });
    expect(await sees(bert.ven, id)).toBe(true);
  });

  test("with an event for the target of one client is seen by that one of its account", async () => {
    const { id } = await ownProgram();
    const roof = await vtn.ven({ participant: anna.participant, targets: ["roof"] });
    await ownEvent(id, { names: ["roof"] });
    expect([await sees(roof, id), await sees(anna.ven, id)]).toEqual([true, false]);
  });

  test("that is neither public nor has targets takes no event without targets: nobody would see it", async () => {
    const { id } = await ownProgram();
    expect(await vtn.operator("POST", "/openadr3-events", alert(id, {}))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("give it targets") },
    });
    await vtn.made(operator.changeOpenadrProgram, { params: { id }, body: { public: true } });
    const event = await ownEvent(id, {});
    expect(await bert.ven.events.get(event.id)).toMatchObject({ status: 200 });
  });

  test("is public or has targets: those that are given restrict it, and being public takes them away", async () => {
    const both = { name: "Both", public: true, targets: { names: ["roof"] } };
    expect(await vtn.operator("POST", "/openadr3-programs", both)).toMatchObject({ status: 400 });
    const { id } = await ownProgram({ public: true });
    const change = (body: object) => vtn.made(operator.changeOpenadrProgram, { params: { id }, body });
    const names = { accounts: [], sites: [], names: ["roof"] };
    expect(await change({ targets: { names: ["roof"] } })).toMatchObject({ public: false, targets: names });
    expect(await change({ public: true })).toMatchObject({ public: true, targets: { names: [] } });
  });
});

describe("an event that a VEN loses by a change of targets", () => {
  test("is told after what is still being retried", async () => {
    const north = await vtn.ven({ targets: ["north"] });
    const hears = await subscribed(north);
    hears.answer = 503;
    const { id: programID } = await bl.programs.made({ programName: "Retried", targets: ["south"] });
    const body = { programID, intervals };
    const { id } = await bl.events.made({ ...body, targets: ["north"] });
    await expect.poll(() => operationsOn(hears, id)).toContain("CREATE");
    await bl.events.update(id, { ...body, targets: ["south"] });
    hears.answer = 200;
    vtn.clock.advance({ minutes: 1 });
    await expect.poll(() => operationsOn(hears, id).at(-1)).toBe("DELETE");
    expect(operationsOn(hears, id).filter((operation) => operation === "UPDATE")).toEqual([]);
  });

  test("of its program is told the same, with the program", async () => {
    const north = await vtn.ven({ targets: ["north"] });
    const hears = await subscribed(north);
    const { id: programID } = await bl.programs.made({ programName: "Moved" });
    const { id } = await bl.events.made({ programID, intervals });
    const { id: over } = await bl.events.made({
      programID,
      intervalPeriod: { start: ahead(vtn, { days: -2 }), duration: "PT1H" },
      intervals,
    });
    await bl.programs.update(programID, { programName: "Moved", targets: ["south"] });
    await expect.poll(() => operationsOn(hears, programID)).toEqual(["CREATE", "DELETE"]);
    expect(operationsOn(hears, id)).toEqual(["CREATE", "DELETE"]);
    expect(operationsOn(hears, over)).toEqual(["CREATE"]);
  });

  test("while its account is disabled is not told, and is gone at the next GET", async () => {
    const participant = await vtn.newParticipant();
    const ven = await vtn.ven({ participant, targets: ["north"] });
    const hears = await subscribed(ven);
    const { id: programID } = await bl.programs.made({ programName: "Disabled", targets: ["south"] });
    const { id } = await bl.events.made({ programID, intervals, targets: ["north"] });
    await expect.poll(() => operationsOn(hears, id)).toEqual(["CREATE"]);
    const disable = (disabled: boolean) =>
      vtn.made(operator.changeAccount, { params: { id: participant.accountId }, body: { disabled } });
    await disable(true);
    await bl.events.update(id, { programID, intervals, targets: ["south"] });
    await caughtUp(vtn.database.pool, CALLBACKS);
    await disable(false);
    expect(await ven.events.get(id)).toMatchObject({ status: 404 });
    expect(operationsOn(hears, id)).toEqual(["CREATE"]);
  });
});
