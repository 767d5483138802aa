import { beforeAll, describe, expect, test } from "vitest";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let ven1: Client31;
let ven2: Client31;
let ven1Id: string;

beforeAll(async () => {
  vtn = await runningVtn();
  [bl, ven1, ven2] = await Promise.all([vtn.bl(), vtn.ven(), vtn.ven()]);
  ven1Id = (await ven1.vens.made({ objectType: "VEN_VEN_REQUEST", venName: "ven1" })).id;
});

const request = (venName: string, clientID: string, more: object = {}) => ({
  objectType: "BL_VEN_REQUEST",
  venName,
  clientID,
  ...more,
});
const UNKNOWN = "nonexistent-id-12345";

describe("vens", () => {
  test("are registered by VENs, each its own", async () => {
    const { id } = await ven2.vens.made({ objectType: "VEN_VEN_REQUEST", venName: "ven2" });
    expect(id).toEqual(expect.any(String));
    expect(id).not.toBe(ven1Id);
  });

  test("are created by business logic", async () => {
    const { id } = await bl.vens.made(request("BLCreatedVEN", "bl_test_client"));
    expect(id).toEqual(expect.any(String));
  });

  test("are registered once: a client has one ven", async () => {
    expect(await ven1.vens.create({ objectType: "VEN_VEN_REQUEST", venName: "VENCreatedVEN" })).toMatchObject({
      status: 409,
    });
  });

  test("are refused for a client that has a ven", async () => {
    await bl.vens.made(request("ConflictVEN", "conflict_client_1"));
    expect(await bl.vens.create(request("ConflictVEN2", "conflict_client_1"))).toMatchObject({ status: 409 });
  });

  test("are listed: all for business logic, its own for a VEN", async () => {
    expect((await bl.vens.search()).body.length).toBeGreaterThanOrEqual(2);
    expect((await ven1.vens.search()).body).toMatchObject([{ id: ven1Id }]);
  });

  test("are read by id, by business logic and by their VEN", async () => {
    expect(await bl.vens.get(ven1Id)).toMatchObject({ status: 200, body: { venName: "ven1" } });
    expect(await ven1.vens.get(ven1Id)).toMatchObject({ status: 200 });
  });

  test("are updated by business logic and by their VEN", async () => {
    const { id } = await bl.vens.made(request("UpdateVEN", "update_client"));
    const attributes = [{ type: "SOME_ATTRIBUTE", values: ["val1"] }];
    expect(await bl.vens.update(id, request("UpdateVEN", "update_client", { attributes }))).toMatchObject({
      status: 200,
      body: { attributes },
    });
    expect(await ven1.vens.update(ven1Id, { objectType: "VEN_VEN_REQUEST", venName: "ven1" })).toMatchObject({
      status: 200,
    });
  });

  test("are deleted by business logic", async () => {
    const { id } = await bl.vens.made(request("DeleteVEN", "delete_client"));
    expect(await bl.vens.remove(id)).toMatchObject({ status: 200 });
  });

  test("are closed to a token that is none", async () => {
    expect(await vtn.bad.vens.create(request("BadTokenVEN", "bad_client"))).toMatchObject({ status: 403 });
    expect(await vtn.bad.vens.search()).toMatchObject({ status: 403 });
    expect(await vtn.bad.vens.get(ven1Id)).toMatchObject({ status: 403 });
    const own = { objectType: "VEN_VEN_REQUEST", venName: "ven1" };
    expect(await vtn.bad.vens.update(ven1Id, own)).toMatchObject({ status: 403 });
    expect(await vtn.bad.vens.remove(ven1Id)).toMatchObject({ status: 403 });
  });

  test("with an id that nobody has are not found", async () => {
    expect(await bl.vens.get(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await bl.vens.remove(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await bl.vens.update(UNKNOWN, request("Ghost", "ghost_client"))).toMatchObject({ status: 404 });
  });

  test("are listed a page at a time, and found by name", async () => {
    for (const name of ["A", "B", "C"]) await bl.vens.made(request(`Pagination${name}`, `pag_${name}`));
    const all = (await bl.vens.search()).body.length;
    expect((await bl.vens.search({ limit: 1 })).body).toHaveLength(1);
    expect((await bl.vens.search({ skip: 1 })).body).toHaveLength(all - 1);
    expect((await bl.vens.search({ skip: 1, limit: 1 })).body).toHaveLength(1);
    expect((await bl.vens.search({ skip: 1000 })).body).toEqual([]);
    expect((await bl.vens.search({ venName: "PaginationA" })).body).toHaveLength(1);
  });
});
