import { beforeAll, describe, expect, test } from "vitest";
import { listedIds, newDispatch, newProgram } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, "What the service does", 7; G14: a dispatch may hold sites of several accounts.
let service: Running;
let anna: Participant;
let ben: Participant;
let cleo: Participant;
let id: string;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ name: "Anna", sites: [["main"], ["main"]] });
  ben = await service.newParticipant({ name: "Ben" });
  cleo = await service.newParticipant({ name: "Cleo" });
  ({ id } = await newDispatch(service, await newProgram(service, [anna, ben])));
});

const sitesSeenBy = async (participant: Participant): Promise<string[]> => {
  const { body } = await participant.call("GET", `/dispatches/${id}`);
  return body.sites.map((site: { id: string }) => site.id);
};
const sitesOf = (participant: Participant): string[] => participant.sites.map((site) => site.id);

describe("a dispatch of several accounts", () => {
  test("shows each account its own sites and no others, by id and in the list", async () => {
    for (const participant of [anna, ben]) {
      expect(await sitesSeenBy(participant)).toEqual(sitesOf(participant));
      const { text } = await participant.call("GET", "/dispatches");
      const others = [anna, ben].filter((each) => each !== participant).flatMap(sitesOf);
      for (const other of others) expect(text).not.toContain(other);
    }
  });

  test("is not there for an account without a site in it", async () => {
    expect(await listedIds(cleo)).toEqual([]);
    const foreign = await cleo.call("GET", `/dispatches/${id}`);
    expectError(foreign, 404);
    expect(foreign.text).toBe((await cleo.call("GET", "/dispatches/dis_0000000000000000")).text);
  });

  test("shows the operator all of them with their accounts", async () => {
    const { body } = await service.operator("GET", `/dispatches/${id}`);
    const accounts = body.sites.map((site: { id: string; account_id: string }) => [site.id, site.account_id]);
    expect(accounts).toEqual([anna, ben].flatMap((each) => sitesOf(each).map((site) => [site, each.accountId])));
  });

  test("changes for all of them at once", async () => {
    await service.made("PATCH", `/dispatches/${id}`, { authorized: false });
    for (const participant of [anna, ben]) {
      const { body } = await participant.call("GET", `/dispatches/${id}`);
      expect(body).toMatchObject({ authorized: false, modification_number: 1 });
    }
  });
});
