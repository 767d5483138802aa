import { beforeAll, describe, expect, test } from "vitest";
import { type Client31, runningVtn, type Secret31, type Vtn } from "../support/openadr-3.js";
import { calledBack } from "../support/openadr3-vens.js";

let vtn: Vtn;
let bl: Client31;
let anna: Client31 & Secret31;
let bert: Client31 & Secret31;
let annasVen: string;
let count = 0;

beforeAll(async () => {
  vtn = await runningVtn();
  [bl, anna, bert] = await Promise.all([vtn.bl(), vtn.ven(), vtn.ven()]);
  annasVen = (await anna.vens.search()).body[0].id;
});

const resource = (clientID: string, more: object = {}) => ({
  objectType: "BL_RESOURCE_REQUEST",
  clientID,
  venID: annasVen,
  resourceName: `resource ${++count}`,
  ...more,
});

const venOf = (clientID: string) => ({ objectType: "BL_VEN_REQUEST", clientID, venName: `ven ${clientID}` });

const idsOf = async (client: Client31): Promise<string[]> =>
  (await client.resources.search()).body.map(({ id }: { readonly id: string }) => id);

/** Bert neither sees nor touches it, and Anna does. */
const isAnnas = async (id: string): Promise<void> => {
  expect(await idsOf(bert)).not.toContain(id);
  expect(await bert.resources.get(id)).toMatchObject({ status: 404 });
  const own = { objectType: "VEN_RESOURCE_REQUEST", venID: annasVen, resourceName: "taken over" };
  expect(await bert.resources.update(id, own)).toMatchObject({ status: 404 });
  expect(await bert.resources.remove(id)).toMatchObject({ status: 404 });
  expect(await idsOf(anna)).toContain(id);
  expect((await anna.resources.get(id)).body.clientID).toBe(anna.id);
};

describe("a resource has the client of its ven", () => {
  test("whoever creates it, and whatever clientID business logic gives", async () => {
    const receiver = await calledBack({ ven: bert }, ["RESOURCE", "VEN"]);
    for (const clientID of [anna.id, bert.id, "unknown"])
      await isAnnas((await bl.resources.made(resource(clientID))).id);
    const own = { objectType: "VEN_RESOURCE_REQUEST", venID: annasVen, resourceName: "own" };
    await isAnnas((await anna.resources.made(own)).id);
    expect(receiver.calls.filter(({ body }) => body.object?.venID === annasVen)).toEqual([]);
  });

  test("also after it was changed", async () => {
    const { id, resourceName } = await bl.resources.made(resource(anna.id));
    expect(await bl.resources.update(id, resource(bert.id, { resourceName }))).toMatchObject({
      status: 200,
      body: { clientID: anna.id },
    });
    await isAnnas(id);
  });

  test("and follows its ven, to another client or with itself to another ven", async () => {
    const [one, other] = [await bl.vens.made(venOf(`c${++count}`)), await bl.vens.made(venOf(`c${++count}`))];
    const made = await bl.resources.made(resource("x", { venID: one.id }));
    expect(made.clientID).toBe(one.clientID);
    await bl.vens.update(one.id, venOf("moved"));
    expect((await bl.resources.get(made.id)).body).toMatchObject({
      clientID: "moved",
      resourceName: made.resourceName,
    });
    const moved = resource("x", { venID: other.id, resourceName: made.resourceName });
    expect((await bl.resources.update(made.id, moved)).body.clientID).toBe(other.clientID);
    await bl.resources.update(made.id, resource("x", { resourceName: made.resourceName }));
    await isAnnas(made.id);
  });

  test("also where a ven moves while resources are written", async () => {
    const { id: venID } = await bl.vens.made(venOf("start"));
    const [first, second] = [
      await bl.resources.made(resource("x", { venID })),
      await bl.resources.made(resource("x", { venID })),
    ];
    const writes = Array.from({ length: 24 }, (_, each) =>
      each % 3 === 0
        ? bl.vens.update(venID, venOf(`owner ${each}`))
        : each % 3 === 1
          ? bl.resources.create(resource("x", { venID }))
          : bl.resources.update((each % 2 === 0 ? first : second).id, resource("x", { venID })),
    );
    for (const { status } of await Promise.all(writes)) expect(status).toBeLessThan(300);
    const { clientID } = (await bl.vens.get(venID)).body;
    const owners = (await bl.resources.search({ venID })).body.map(
      (each: { readonly clientID: string }) => each.clientID,
    );
    expect(owners.length).toBeGreaterThanOrEqual(10);
    expect(new Set(owners)).toEqual(new Set([clientID]));
  });
});
