import { beforeAll, describe, expect, test } from "vitest";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let ven: Client31;
let programID: string;
let eventID: string;

beforeAll(async () => {
  vtn = await runningVtn();
  bl = await vtn.bl();
  ven = await vtn.ven();
  programID = (await bl.programs.made({ programName: "Program1" })).id;
  const intervals = [{ id: 0, payloads: [{ type: "PRICE", values: [1] }] }];
  eventID = (await bl.events.made({ programID, intervals })).id;
});

const report = (reportName = "TestReport", more: object = {}) => ({
  // Reports had it in earlier versions; it is ignored.
  programID,
  eventID,
  clientName: "test-client",
  reportName,
  resources: [{ resourceName: "resource-1", intervals: [{ id: 0, payloads: [{ type: "USAGE", values: [100] }] }] }],
  ...more,
});
const UNKNOWN = "nonexistent-id-12345";

describe("reports", () => {
  test("are created by a VEN, and not by business logic", async () => {
    expect((await ven.reports.made(report())).id).toEqual(expect.any(String));
    expect(await bl.reports.create(report())).toMatchObject({ status: 403 });
  });

  test("are listed: all for business logic, its own for a VEN", async () => {
    await ven.reports.made(report("SearchTest"));
    expect((await bl.reports.search()).body.length).toBeGreaterThanOrEqual(1);
    expect(await ven.reports.search()).toMatchObject({ status: 200 });
  });

  test("are read by id, by business logic and by their VEN", async () => {
    const { id } = await ven.reports.made(report("ById"));
    expect(await bl.reports.get(id)).toMatchObject({ status: 200 });
    expect(await ven.reports.get(id)).toMatchObject({ status: 200 });
  });

  test("are updated by their VEN, and not by business logic", async () => {
    const { id } = await ven.reports.made(report("UpdateMe"));
    const changed = report("UpdatedReport", { clientName: "updated-client" });
    expect(await ven.reports.update(id, changed)).toMatchObject({ status: 200, body: { reportName: "UpdatedReport" } });
    expect(await bl.reports.update(id, report("Hacked", { resources: [] }))).toMatchObject({ status: 403 });
  });

  test("are deleted by their VEN, and not by business logic", async () => {
    const { id } = await ven.reports.made(report("DeleteMe"));
    expect(await bl.reports.remove(id)).toMatchObject({ status: 403 });
    expect(await ven.reports.remove(id)).toMatchObject({ status: 200 });
  });

  test("are closed to a token that is none", async () => {
    const { id } = await ven.reports.made(report("BadToken"));
    expect(await vtn.bad.reports.create(report())).toMatchObject({ status: 403 });
    expect(await vtn.bad.reports.search()).toMatchObject({ status: 403 });
    expect(await vtn.bad.reports.get(id)).toMatchObject({ status: 403 });
    expect(await vtn.bad.reports.update(id, report("x", { resources: [] }))).toMatchObject({ status: 403 });
    expect(await vtn.bad.reports.remove(id)).toMatchObject({ status: 403 });
  });

  test("with an id that nobody has are not found", async () => {
    expect(await bl.reports.get(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await ven.reports.remove(UNKNOWN)).toMatchObject({ status: 404 });
    const changed = report("x", { eventID: "fake", resources: [] });
    expect(await ven.reports.update(UNKNOWN, changed)).toMatchObject({ status: 404 });
  });

  test("are listed a page at a time", async () => {
    for (const name of ["PagReport1", "PagReport2", "PagReport3"]) await ven.reports.made(report(name));
    const all = (await bl.reports.search()).body.length;
    expect((await bl.reports.search({ limit: 1 })).body).toHaveLength(1);
    expect((await bl.reports.search({ skip: 1 })).body).toHaveLength(all - 1);
    expect((await bl.reports.search({ skip: 1, limit: 1 })).body).toHaveLength(1);
    expect((await bl.reports.search({ skip: 1000 })).body).toEqual([]);
  });
});
