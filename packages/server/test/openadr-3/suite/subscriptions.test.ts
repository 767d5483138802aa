import { beforeAll, describe, expect, test } from "vitest";
import { callbackReceiver } from "../../support/callback-receiver.js";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let ven: Client31;
let programID: string;
/** Answers challenges, which the suite's own address does not. */
let callbackUrl: string;

beforeAll(async () => {
  vtn = await runningVtn();
  callbackUrl = (await callbackReceiver()).url;
  bl = await vtn.bl();
  ven = await vtn.ven();
  programID = (await bl.programs.made({ programName: "Program1" })).id;
});

const subscription = (clientName = "TestSubscription") => ({
  programID,
  clientName,
  objectOperations: [
    {
      objects: ["EVENT"],
      operations: ["CREATE"],
      callbackUrl,
      bearerToken: "callback-token",
    },
  ],
});
const UNKNOWN = "nonexistent-id-12345";

describe("subscriptions", () => {
  test("are created by business logic and by VENs", async () => {
    expect((await bl.subscriptions.made(subscription("BLSub"))).id).toEqual(expect.any(String));
    expect((await ven.subscriptions.made(subscription("VENSub"))).id).toEqual(expect.any(String));
  });

  test("are listed: all for business logic, its own for a VEN", async () => {
    const { id } = await ven.subscriptions.made(subscription("Search"));
    expect((await bl.subscriptions.search()).body.length).toBeGreaterThanOrEqual(1);
    expect((await ven.subscriptions.search()).body).toContainEqual(expect.objectContaining({ id }));
  });

  test("are read by id, by business logic and by their VEN", async () => {
    const { id } = await bl.subscriptions.made(subscription("ByIdBL"));
    expect(await bl.subscriptions.get(id)).toMatchObject({ status: 200 });
    const { id: own } = await ven.subscriptions.made(subscription("ByIdVEN"));
    expect(await ven.subscriptions.get(own)).toMatchObject({ status: 200 });
  });

  test("are updated by business logic and by their VEN", async () => {
    const { id } = await bl.subscriptions.made(subscription("UpdateBL"));
    expect(await bl.subscriptions.update(id, subscription("UpdatedBL"))).toMatchObject({
      status: 200,
      body: { clientName: "UpdatedBL" },
    });
    const { id: own } = await ven.subscriptions.made(subscription("UpdateVEN"));
    expect(await ven.subscriptions.update(own, subscription("UpdatedVEN"))).toMatchObject({ status: 200 });
  });

  test("are deleted by business logic and by their VEN", async () => {
    const { id } = await bl.subscriptions.made(subscription("DeleteBL"));
    expect(await bl.subscriptions.remove(id)).toMatchObject({ status: 200 });
    const { id: own } = await ven.subscriptions.made(subscription("DeleteVEN"));
    expect(await ven.subscriptions.remove(own)).toMatchObject({ status: 200 });
  });

  test("are closed to a token that is none", async () => {
    const { id } = await bl.subscriptions.made(subscription("BadToken"));
    expect(await vtn.bad.subscriptions.create(subscription())).toMatchObject({ status: 403 });
    expect(await vtn.bad.subscriptions.search()).toMatchObject({ status: 403 });
    expect(await vtn.bad.subscriptions.get(id)).toMatchObject({ status: 403 });
    expect(await vtn.bad.subscriptions.update(id, subscription("Hacked"))).toMatchObject({ status: 403 });
    expect(await vtn.bad.subscriptions.remove(id)).toMatchObject({ status: 403 });
  });

  test("with an id that nobody has are not found", async () => {
    expect(await bl.subscriptions.get(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await bl.subscriptions.remove(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await bl.subscriptions.update(UNKNOWN, subscription("Ghost"))).toMatchObject({ status: 404 });
  });

  test("are listed a page at a time", async () => {
    for (const name of ["PagSub1", "PagSub2", "PagSub3"]) await bl.subscriptions.made(subscription(name));
    const all = (await bl.subscriptions.search()).body.length;
    expect((await bl.subscriptions.search({ limit: 1 })).body).toHaveLength(1);
    expect((await bl.subscriptions.search({ skip: 1 })).body).toHaveLength(all - 1);
    expect((await bl.subscriptions.search({ skip: 1, limit: 1 })).body).toHaveLength(1);
    expect((await bl.subscriptions.search({ skip: 1000 })).body).toEqual([]);
  });

  test("are found by their program and by their client's name", async () => {
    const { id } = await bl.subscriptions.made(subscription("UniqueClientName123"));
    const found = expect.objectContaining({ id });
    expect((await bl.subscriptions.search({ programID })).body).toContainEqual(found);
    expect((await bl.subscriptions.search({ clientName: "UniqueClientName123" })).body).toEqual([found]);
  });
});
