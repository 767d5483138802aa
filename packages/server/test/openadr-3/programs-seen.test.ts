import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newProgram } from "../support/dispatching.js";
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

const subscription = (programID: string) => ({
  clientName: "gateway",
  programID,
  objectOperations: [{ objects: ["EVENT"], operations: ["CREATE"], callbackUrl: "http://127.0.0.1:1" }],
});

const answers = async (programID: string) => {
  const made = [
    await bert.ven.programs.get(programID),
    await bert.ven.topics("program", programID),
    await bert.ven.topics("programEvents", programID),
    await bert.ven.events.search({ programID }),
    await bert.ven.subscriptions.create(subscription(programID)),
  ];
  return made.map(({ status, text }) => ({ status, text: text.replaceAll(programID, "ID") }));
};

describe("a program of the service", () => {
  test("is seen by VENs of enrolled accounts and by business logic; to others it is like none", async () => {
    const id = await objectOf(anna.programId);
    expect(await sees(anna.ven, id)).toBe(true);
    expect(await sees(bl, id)).toBe(true);
    expect(await sees(bert.ven, id)).toBe(false);
    const absent = `${id.slice(0, 4)}0000000000000000`;
    expect(await answers(id)).toEqual(await answers(absent));
  });

  test("is seen at the next GET once a site is enrolled, and no more when it is withdrawn", async () => {
    const programId = await newProgram(vtn, [], { name: "Later" });
    const id = await objectOf(programId);
    const params = { id: programId, site_id: bert.participant.sites[0]?.id ?? "" };
    expect(await sees(bert.ven, id)).toBe(false);
    await vtn.made(operator.enrolSite, { params, body: { commitment: 5 } });
    expect(await sees(bert.ven, id)).toBe(true);
    expect(await vtn.operator(operator.withdrawSite, { params })).toMatchObject({ status: 204 });
    expect(await sees(bert.ven, id)).toBe(false);
  });
});

describe("a program of business logic", () => {
  test("is seen by its targets, and by all if it has none", async () => {
    const roof = await vtn.ven({ targets: ["roof"] });
    const { id } = await bl.programs.made({ programName: "Roofs", targets: ["roof"] });
    const { id: open } = await bl.programs.made({ programName: "Open" });
    expect([await sees(roof, id), await sees(bert.ven, id), await sees(bert.ven, open)]).toEqual([true, false, true]);
  });
});

describe("an event that a VEN loses by a change of targets", () => {
  test("is told to it as deleted, as it was, and to nobody else", async () => {
    const [north, south] = [await vtn.ven({ targets: ["north"] }), await vtn.ven({ targets: ["south"] })];
    const [hearsNorth, hearsSouth, hearsBl] = [await subscribed(north), await subscribed(south), await subscribed(bl)];
    const { id: programID } = await bl.programs.made({ programName: "Regions", targets: ["north", "south"] });
    const body = { programID, intervals };
    const { id } = await bl.events.made({ ...body, eventName: "Storm", targets: ["north", "south"] });
    await bl.events.update(id, { ...body, eventName: "Southern storm", targets: ["south"] });
    await expect.poll(() => operationsOn(hearsNorth, id)).toEqual(["CREATE", "DELETE"]);
    await expect.poll(() => operationsOn(hearsSouth, id)).toEqual(["CREATE", "UPDATE"]);
    await expect.poll(() => operationsOn(hearsBl, id)).toEqual(["CREATE", "UPDATE"]);
    // Public events of other tests may still be on their way.
    const deleted = hearsNorth.calls.find(({ body }) => body.operation === "DELETE" && body.object.id === id);
    expect(deleted?.body.object).toMatchObject({ eventName: "Storm", targets: ["north"] });
    // Who had it not at first hears nothing of what it lost.
    expect(operationsOn(await subscribed(bert.ven), id)).toEqual([]);
  });
});
