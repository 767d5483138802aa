import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callbackReceiver } from "../support/callback-receiver.js";
import { type Client31, runningVtn, type Secret31, type Vtn } from "../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let count = 0;

beforeAll(async () => {
  vtn = await runningVtn();
  bl = await vtn.bl();
});

const program = (more: object = {}) => bl.programs.made({ programName: `Program ${++count}`, ...more });
const ids = (answer: { body: ReadonlyArray<{ id: string }> }) => answer.body.map(({ id }) => id);
const venIdOf = async (ven: Client31): Promise<string> => (await ven.vens.search()).body[0].id;

describe("programs and events with targets", () => {
  let ven: Client31 & Secret31;
  let open: string;
  let mine: string;
  let other: string;

  beforeEach(async () => {
    ven = await vtn.ven({ targets: ["mine", "also mine"] });
    open = (await program()).id;
    mine = (await program({ targets: ["mine", "other"] })).id;
    other = (await program({ targets: ["other"] })).id;
  });

  test("are seen by VENs that were granted one of them, without the others", async () => {
    const seen = ids(await ven.programs.search());
    expect(seen).toEqual(expect.arrayContaining([open, mine]));
    expect(seen).not.toContain(other);
    expect((await ven.programs.get(mine)).body.targets).toEqual(["mine"]);
    expect(await ven.programs.get(other)).toMatchObject({ status: 404 });
    expect((await bl.programs.get(mine)).body.targets).toEqual(["mine", "other"]);
  });

  test("are found by targets that a VEN was granted, and by no others", async () => {
    expect(ids(await ven.programs.search({ targets: ["mine", "other"] }))).toContain(mine);
    expect(ids(await ven.programs.search({ targets: ["mine"] }))).not.toContain(open);
    expect(ids(await ven.programs.search({ targets: ["other"] }))).toEqual([]);
    expect(ids(await ven.programs.search({ targets: "also mine" }))).toEqual([]);
    expect(ids(await bl.programs.search({ targets: ["other"] }))).toEqual(expect.arrayContaining([mine, other]));
  });

  test("are those of the program for an event without any", async () => {
    const [hidden, seen] = [
      (await bl.events.made({ programID: other })).id,
      (await bl.events.made({ programID: other, targets: ["also mine"] })).id,
    ];
    expect(ids(await ven.events.search({ programID: other }))).toEqual([seen]);
    expect(await ven.events.get(hidden)).toMatchObject({ status: 404 });
    await bl.programs.update(other, { programName: `Program ${++count}`, targets: ["mine"] });
    expect(ids(await ven.events.search({ programID: other }))).toEqual([hidden, seen]);
  });

  test("are granted by business logic too, through the ven and its resources", async () => {
    const venID = await venIdOf(ven);
    const { id } = await bl.events.made({ programID: open, targets: ["of a resource"] });
    expect(await ven.events.get(id)).toMatchObject({ status: 404 });
    const resource = { objectType: "BL_RESOURCE_REQUEST", clientID: ven.id, venID, resourceName: "meter" };
    await bl.resources.made({ ...resource, targets: ["of a resource"] });
    expect(await ven.events.get(id)).toMatchObject({ status: 200 });
    const grant = { objectType: "BL_VEN_REQUEST", clientID: ven.id, venName: `VEN ${++count}`, targets: ["other"] };
    expect(await bl.vens.update(venID, grant)).toMatchObject({ status: 200 });
    expect(await ven.programs.get(other)).toMatchObject({ status: 200 });
    expect(await ven.programs.get(mine)).toMatchObject({ status: 200, body: { targets: ["other"] } });
    expect(await vtn.made(operator.getOpenadrClient, { params: { id: ven.id } })).toMatchObject({
      targets: ["other"],
    });
  });

  test("cannot be granted by a VEN to itself", async () => {
    const venID = await venIdOf(ven);
    const own = { objectType: "VEN_VEN_REQUEST", venName: `VEN ${++count}`, targets: ["other"] };
    expect((await ven.vens.create(own)).body.targets).toEqual(["mine", "also mine"]);
    expect((await ven.vens.update(venID, own)).body.targets).toEqual(["mine", "also mine"]);
    const asBl = { objectType: "BL_VEN_REQUEST", clientID: ven.id, venName: "x", targets: ["other"] };
    expect(await ven.vens.update(venID, asBl)).toMatchObject({ status: 403 });
    expect(await ven.vens.create(asBl)).toMatchObject({ status: 403 });
    const resource = { objectType: "VEN_RESOURCE_REQUEST", venID, resourceName: "r", targets: ["other"] };
    expect((await ven.resources.made(resource)).targets).toBeUndefined();
    expect(await ven.programs.get(other)).toMatchObject({ status: 404 });
  });

  test("are kept when the VEN replaces a resource that was granted some", async () => {
    const venID = await venIdOf(ven);
    const resource = { objectType: "BL_RESOURCE_REQUEST", clientID: ven.id, venID, resourceName: "pump" };
    const { id } = await bl.resources.made({ ...resource, targets: ["pumps"] });
    const own = { objectType: "VEN_RESOURCE_REQUEST", venID, resourceName: "big pump" };
    expect((await ven.resources.update(id, own)).body).toMatchObject({ resourceName: "big pump", targets: ["pumps"] });
  });
});

/** An object of each type that a VEN owns, with a request that would be accepted from its owner. */
const ownObjects = async (ven: Client31) => {
  const { id: programID } = await program();
  const { id: eventID } = await bl.events.made({ programID });
  const venID = await venIdOf(ven);
  const { url: callbackUrl } = await callbackReceiver();
  const bodies = {
    vens: { objectType: "VEN_VEN_REQUEST", venName: `Anna ${++count}` },
    resources: { objectType: "VEN_RESOURCE_REQUEST", venID, resourceName: "annas meter" },
    reports: { eventID, clientName: "anna", resources: [] },
    subscriptions: {
      clientName: "anna",
      objectOperations: [
        {
          objects: ["EVENT"],
          operations: ["CREATE"],
          callbackUrl,
          bearerToken: "callback-token",
        },
      ],
    },
  } as const;
  const made = {
    vens: (await ven.vens.made(bodies.vens)).id,
    resources: (await ven.resources.made(bodies.resources)).id,
    reports: (await ven.reports.made(bodies.reports)).id,
    subscriptions: (await ven.subscriptions.made(bodies.subscriptions)).id,
  };
  return { bodies, made };
};

const owned = ["vens", "resources", "reports", "subscriptions"] as const;

const tokenIn = (answer: { body: { objectOperations: ReadonlyArray<{ bearerToken?: string }> } }) =>
  answer.body.objectOperations[0]?.bearerToken;

describe("objects of a VEN", () => {
  let annas: Awaited<ReturnType<typeof ownObjects>>;
  let anna: Client31;
  let bert: Client31;

  beforeAll(async () => {
    [anna, bert] = await Promise.all([vtn.ven({ name: "Anna" }), vtn.ven({ name: "Bert" })]);
    annas = await ownObjects(anna);
  });

  test.each(owned)("are hidden from other VENs: %s", async (kind) => {
    const id = annas.made[kind];
    expect(ids(await bert[kind].search())).not.toContain(id);
    expect(await bert[kind].get(id)).toMatchObject({ status: 404 });
    expect(await bert[kind].update(id, annas.bodies[kind])).toMatchObject({ status: 404 });
    expect(await bert[kind].remove(id)).toMatchObject({ status: 404 });
    expect(await anna[kind].get(id)).toMatchObject({ status: 200 });
    expect(ids(await bl[kind].search())).toContain(id);
  });

  test("cannot be referred to by other VENs", async () => {
    const resource = { ...annas.bodies.resources, resourceName: "berts meter" };
    expect(await bert.resources.create(resource)).toMatchObject({ status: 404 });
    const own = await venIdOf(bert);
    const { id } = await bert.resources.made({ ...resource, venID: own });
    expect(await bert.resources.update(id, resource)).toMatchObject({ status: 404 });
    const { id: hidden } = await bl.events.made({ programID: (await program()).id, targets: ["annas"] });
    expect(await bert.reports.create({ ...annas.bodies.reports, eventID: hidden })).toMatchObject({ status: 400 });
    const { id: secret } = await program({ targets: ["annas"] });
    const subscribed = { ...annas.bodies.subscriptions, programID: secret };
    expect(await bert.subscriptions.create(subscribed)).toMatchObject({ status: 400 });
  });

  test("show the bearer token of a subscription to nobody else", async () => {
    const id = annas.made.subscriptions;
    expect(tokenIn(await anna.subscriptions.get(id))).toBe("callback-token");
    expect(tokenIn(await bl.subscriptions.get(id))).toBeUndefined();
    expect((await bl.subscriptions.search()).text).not.toContain("callback-token");
    const { rows } = await vtn.database.pool.query(
      "select string_agg(openadr3_changes::text, '') as all from openadr3_changes",
    );
    expect(rows[0].all).not.toContain("callback-token");
  });

  test("stay those of the VEN when business logic changes them", async () => {
    const changed = { ...annas.bodies.subscriptions, clientName: "renamed" };
    expect(await bl.subscriptions.update(annas.made.subscriptions, changed)).toMatchObject({ status: 200 });
    expect((await anna.subscriptions.get(annas.made.subscriptions)).body.clientName).toBe("renamed");
  });
});

describe("the sandbox", () => {
  test("has objects of its own, with the same names", async () => {
    const [sandboxBl, sandboxVen] = await Promise.all([
      vtn.bl({ environment: "sandbox" }),
      vtn.ven({ environment: "sandbox" }),
    ]);
    const { id, programName } = await program();
    expect(ids(await sandboxBl.programs.search())).not.toContain(id);
    const { id: own } = await sandboxBl.programs.made({ programName });
    expect(ids(await sandboxVen.programs.search())).toContain(own);
    expect(ids(await sandboxVen.programs.search())).not.toContain(id);
    expect(await sandboxVen.programs.get(id)).toMatchObject({ status: 404 });
    expect(await bl.programs.get(own)).toMatchObject({ status: 404 });
    expect(await sandboxBl.events.create({ programID: id })).toMatchObject({ status: 400 });
    expect(await sandboxBl.programs.remove(id)).toMatchObject({ status: 404 });
  });
});
