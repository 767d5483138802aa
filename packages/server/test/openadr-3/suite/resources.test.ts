import { beforeAll, describe, expect, test } from "vitest";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let ven: Client31;
let venID: string;

beforeAll(async () => {
  vtn = await runningVtn();
  bl = await vtn.bl();
  ven = await vtn.ven();
  venID = (await ven.vens.made({ objectType: "VEN_VEN_REQUEST", venName: "ven1" })).id;
});

const own = (resourceName: string) => ({ objectType: "VEN_RESOURCE_REQUEST", venID, resourceName });
const byBl = (resourceName: string, clientID: string, more: object = {}) => ({
  objectType: "BL_RESOURCE_REQUEST",
  venID,
  resourceName,
  clientID,
  ...more,
});
const UNKNOWN = "nonexistent-id-12345";

describe("resources", () => {
  test("are created by a VEN", async () => {
    expect((await ven.resources.made(own("Resource1"))).id).toEqual(expect.any(String));
  });

  test("are created by business logic, for any client", async () => {
    expect(await bl.resources.create(byBl("BLResource1", "bl_res_client"))).toMatchObject({ status: 201 });
  });

  test("are refused under a name that another resource of the ven has", async () => {
    await ven.resources.made(own("ConflictResource"));
    expect(await ven.resources.create(own("ConflictResource"))).toMatchObject({ status: 409 });
  });

  test("of a ven are listed for business logic and for the VEN", async () => {
    expect((await bl.resources.search({ venID })).body.length).toBeGreaterThanOrEqual(1);
    expect((await ven.resources.search({ venID })).body.length).toBeGreaterThanOrEqual(1);
  });

  test("are read by id, by business logic and by their VEN", async () => {
    const { id } = await ven.resources.made(own("ById"));
    expect(await bl.resources.get(id)).toMatchObject({ status: 200 });
    expect(await ven.resources.get(id)).toMatchObject({ status: 200 });
  });

  test("are updated by business logic and by their VEN", async () => {
    const { id } = await bl.resources.made(byBl("UpdateResource", "upd_client"));
    const attributes = [{ type: "SOME_ATTR", values: ["v1"] }];
    expect(await bl.resources.update(id, byBl("UpdateResource", "upd_client", { attributes }))).toMatchObject({
      status: 200,
      body: { attributes },
    });
    const { id: ownId } = await ven.resources.made(own("VENUpdateResource"));
    expect(await ven.resources.update(ownId, own("VENUpdateResource"))).toMatchObject({ status: 200 });
  });

  test("are deleted by business logic and by their VEN", async () => {
    const { id } = await bl.resources.made(byBl("DeleteResource", "del_client"));
    expect(await bl.resources.remove(id)).toMatchObject({ status: 200 });
    const { id: ownId } = await ven.resources.made(own("VENDeleteResource"));
    expect(await ven.resources.remove(ownId)).toMatchObject({ status: 200 });
  });

  test("are closed to a token that is none", async () => {
    const { id } = await ven.resources.made(own("BadToken"));
    expect(await vtn.bad.resources.create(own("BadTokenResource"))).toMatchObject({ status: 403 });
    expect(await vtn.bad.resources.search({ venID })).toMatchObject({ status: 403 });
    expect(await vtn.bad.resources.get(id)).toMatchObject({ status: 403 });
    expect(await vtn.bad.resources.update(id, { resourceName: "hack" })).toMatchObject({ status: 403 });
    expect(await vtn.bad.resources.remove(id)).toMatchObject({ status: 403 });
  });

  test("with an id that nobody has are not found", async () => {
    expect(await bl.resources.get(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await bl.resources.remove(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await bl.resources.update(UNKNOWN, byBl("Ghost", "ghost"))).toMatchObject({ status: 404 });
    expect(await bl.resources.update(UNKNOWN, { resourceName: "Ghost" })).toMatchObject({ status: 400 });
  });

  test("are listed a page at a time", async () => {
    for (const name of ["PagRes1", "PagRes2", "PagRes3"]) await ven.resources.made(own(name));
    const all = (await bl.resources.search({ venID })).body.length;
    expect((await bl.resources.search({ venID, limit: 1 })).body).toHaveLength(1);
    expect((await bl.resources.search({ venID, skip: 1 })).body).toHaveLength(all - 1);
    expect((await bl.resources.search({ venID, skip: 1, limit: 1 })).body).toHaveLength(1);
    expect((await bl.resources.search({ venID, skip: 1000 })).body).toEqual([]);
  });
});
