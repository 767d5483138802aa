import { beforeAll, describe, expect, test } from "vitest";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let ven: Client31;

beforeAll(async () => {
  vtn = await runningVtn();
  bl = await vtn.bl();
  ven = await vtn.ven();
});

const price = {
  programName: "PriceProgram",
  payloadDescriptors: [{ objectType: "EVENT_PAYLOAD_DESCRIPTOR", payloadType: "PRICE", units: "KWH", currency: "USD" }],
};
const UNKNOWN = "nonexistent-id-12345";

describe("programs", () => {
  test("are created by business logic, several beside each other", async () => {
    expect(await bl.programs.create({ programName: "Program1" })).toMatchObject({ status: 201 });
    expect(await bl.programs.create({ programName: "Program2" })).toMatchObject({ status: 201 });
  });

  test("keep their payload descriptors", async () => {
    const { id } = await bl.programs.made(price);
    expect(id).toEqual(expect.any(String));
    expect(await bl.programs.get(id)).toMatchObject({ status: 200, body: price });
  });

  test("are not created by a VEN", async () => {
    expect(await ven.programs.create({ programName: "VENProgram" })).toMatchObject({ status: 403 });
  });

  test("are refused under a name that another program has", async () => {
    await bl.programs.made({ programName: "ConflictTest" });
    expect(await bl.programs.create({ programName: "ConflictTest" })).toMatchObject({ status: 409 });
  });

  test("are listed for business logic and for VENs", async () => {
    const { body, status } = await bl.programs.search();
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThanOrEqual(2);
    expect((await ven.programs.search()).body.length).toBeGreaterThan(0);
  });

  test("are read by id, by business logic and by VENs", async () => {
    const { id } = await bl.programs.made({ programName: "ById" });
    expect(await bl.programs.get(id)).toMatchObject({ status: 200, body: { programName: "ById" } });
    expect(await ven.programs.get(id)).toMatchObject({ status: 200 });
  });

  test("are updated by business logic, and not by a VEN", async () => {
    const { id } = await bl.programs.made({ programName: "UpdateTest" });
    expect(await bl.programs.update(id, { programName: "UpdateTest", targets: ["group1"] })).toMatchObject({
      status: 200,
      body: { targets: ["group1"] },
    });
    expect(await ven.programs.update(id, { programName: "UpdateTest" })).toMatchObject({ status: 403 });
  });

  test("are deleted by business logic, and not by a VEN", async () => {
    const { id } = await bl.programs.made({ programName: "DeleteTest" });
    expect(await ven.programs.remove(id)).toMatchObject({ status: 403 });
    expect(await bl.programs.remove(id)).toMatchObject({ status: 200 });
  });

  test("are closed to a token that is none", async () => {
    const { id } = await bl.programs.made({ programName: "BadTokenTest" });
    expect(await vtn.bad.programs.create({ programName: "Another" })).toMatchObject({ status: 403 });
    expect(await vtn.bad.programs.search()).toMatchObject({ status: 403 });
    expect(await vtn.bad.programs.get(id)).toMatchObject({ status: 403 });
    expect(await vtn.bad.programs.update(id, { programName: "BadTokenTest" })).toMatchObject({ status: 403 });
    expect(await vtn.bad.programs.remove(id)).toMatchObject({ status: 403 });
  });

  test("with an id that nobody has are not found", async () => {
    expect(await bl.programs.get(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await bl.programs.remove(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await bl.programs.update(UNKNOWN, { programName: "Ghost" })).toMatchObject({ status: 404 });
  });

  test("are listed a page at a time", async () => {
    for (const name of ["A", "B", "C"]) await bl.programs.made({ programName: `Pagination${name}` });
    const all = (await bl.programs.search()).body.length;
    expect((await bl.programs.search({ limit: 1 })).body).toHaveLength(1);
    expect((await bl.programs.search({ skip: 1 })).body).toHaveLength(all - 1);
    expect((await bl.programs.search({ skip: 1, limit: 1 })).body).toHaveLength(1);
    expect((await bl.programs.search({ skip: 1000 })).body).toEqual([]);
  });
});
