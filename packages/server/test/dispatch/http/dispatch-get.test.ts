import { getDispatch, listDispatches, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, listedIds, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const sitesOf = (participant: Participant): string[] => participant.sites.map((site) => site.id);

// Specification, "What the service does", 7; G14: a dispatch may have sites of several accounts.
describe("a dispatch of several accounts", () => {
  let anna: Participant;
  let ben: Participant;
  let cleo: Participant;
  let id: string;

  beforeAll(async () => {
    anna = await service.newParticipant({ name: "Anna", sites: [["main"], ["main"]] });
    ben = await service.newParticipant({ name: "Ben" });
    cleo = await service.newParticipant({ name: "Cleo" });
    ({ id } = await newDispatch(service, await newProgram(service, [anna, ben])));
  });

  const sitesSeenBy = async (participant: Participant): Promise<string[]> => {
    const { body } = await participant.call(getDispatch, { params: { id } });
    return body.sites.map((site) => site.id);
  };

  test("shows each account its own sites and no others, by id and in the list", async () => {
    for (const participant of [anna, ben]) {
      expect(await sitesSeenBy(participant)).toEqual(sitesOf(participant));
      const { text } = await participant.call(listDispatches);
      const others = [anna, ben].filter((each) => each !== participant).flatMap(sitesOf);
      for (const other of others) expect(text).not.toContain(other);
    }
  });

  test("is not there for an account without a site in it", async () => {
    expect(await listedIds(cleo)).toEqual([]);
    const foreign = await cleo.call(getDispatch, { params: { id } });
    expectError(foreign, 404);
    expect(foreign.text).toBe((await cleo.call(getDispatch, { params: { id: "dis_0000000000000000" } })).text);
  });

  test("shows the operator all of them with their accounts", async () => {
    const { body } = await service.operator(operator.getAnyDispatch, { params: { id } });
    const accounts = body.sites.map((site) => [site.id, site.account_id]);
    expect(accounts).toEqual([anna, ben].flatMap((each) => sitesOf(each).map((site) => [site, each.accountId])));
  });

  test("changes for all of them at once", async () => {
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    for (const participant of [anna, ben]) {
      const { body } = await participant.call(getDispatch, { params: { id } });
      expect(body).toMatchObject({ authorized: false, modification_number: 1 });
    }
  });
});

// Specification, endpoint 2: GET /dispatches/{id}; G12.
describe("one dispatch", () => {
  let anna: Participant;
  let programId: string;

  beforeAll(async () => {
    anna = await service.newParticipant();
    programId = await newProgram(service, [anna]);
  });

  test("is the bare object, the same as in the list", async () => {
    const { id } = await newDispatch(service, programId);
    const { body } = await anna.call(getDispatch, { params: { id } });
    const list = await anna.call(listDispatches);
    expect(body.id).toBe(id);
    expect(body).toEqual(list.body.dispatches.find((each) => each.id === id));
  });

  test("is there for good, long after the list has let it go", async () => {
    const { id } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 2 }) });
    service.clock.advance({ days: 400 });
    expect((await anna.call(getDispatch, { params: { id } })).body).toMatchObject({ id });
  });

  test("that is not there is not found, and a foreign one is answered byte for byte alike (G4)", async () => {
    const ben = await service.newParticipant();
    const { id } = await newDispatch(service, await newProgram(service, [ben]));
    const foreign = await anna.call(getDispatch, { params: { id } });
    const absent = await anna.call(getDispatch, { params: { id: "dis_0000000000000000" } });
    expectError(foreign, 404, /No such dispatch/);
    expect(foreign.text).toBe(absent.text);
  });
});
