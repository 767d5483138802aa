import { getDispatchPerformance, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { approve, finished, prepare, service } from "../../support/approved-results.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, performanceOf, untilVersions } from "../../support/measuring.js";

beforeAll(prepare);

describe("an approved result", () => {
  test("is a version with who and why, and what is corrected later stands beside it", async () => {
    const { id, participant, siteId, correct } = await finished();
    const { status, body } = await approve(id, 1);
    expect(status).toBe(200);
    expect(body.versions).toMatchObject([
      { version: 1, reason: "complete", standing: "superseded", by: null, note: null },
      { version: 2, reason: "approved", standing: "standing", by: "operator", note: "agreed with the account" },
    ]);
    await correct(80);
    await untilVersions(service, id, 3);
    const { versions, version, sites } = await performanceOf(service, id);
    expect(versions[2]).toMatchObject({ reason: "corrected", standing: "beside" });
    expect([version, sites[0].mean_reduction_kw]).toEqual([2, 40]);
    const detail = (query: object) =>
      service.made(operator.getAnySitePerformance, { params: { id, site_id: siteId }, query });
    expect((await detail({})).site.mean_reduction_kw).toBe(40);
    expect((await detail({ version: 3 })).site.mean_reduction_kw).toBe(20);
    const own = (await participant.call(getDispatchPerformance, { params: { id } })).body;
    expect(own).toMatchObject({ version: 2, sites: [{ mean_reduction_kw: 40 }] });
  });

  test("cannot be one that is not final, not the newest or not explained", async () => {
    const { id, programId, correct } = await finished();
    await correct(70);
    await untilVersions(service, id, 2);
    expectError(await approve(id, 1), 400, /version 1 is not the newest; look at version 2/);
    expectError(await approve(id, 2, " "), 400, /note/);
    expectError(await approve("dis_0", 1), 404, /No such dispatch/);
    const ahead = await dispatchBetween(service, programId, ["2026-06-12T18:00:00Z", "2026-06-12T19:00:00Z"]);
    expectError(await approve(ahead, 1), 400, /not final yet/);
  });

  test("is in the audit log", async () => {
    const { id } = await finished();
    await approve(id, 1);
    const { items } = (await service.operator(operator.listAudit, { query: { subject: id } })).body;
    expect(items[0]).toMatchObject({
      action: "dispatch.approve",
      after: { approved_version: 2, note: "agreed with the account" },
    });
  });
});
