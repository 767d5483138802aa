import { operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import {
  accountIn,
  anna,
  ben,
  between,
  issue,
  one,
  overlapsOf,
  peak,
  prepare,
  prepareOverlaps,
  preparePreview,
  preview,
  program,
  reserve,
  service,
  twoSites,
} from "../../support/previews.js";
import { recorded } from "../../support/recorded.js";
import { failForGood, subscribe } from "../../support/unreachable.js";

beforeAll(prepare);

const everything = async () =>
  (
    await service.database.pool.query(
      "select (select count(*) from audit_log) as entries, (select count(*) from dispatches) as dispatches",
    )
  ).rows;

describe("before it is issued", () => {
  beforeAll(preparePreview);

  const empty = wireProgram({ name: "Empty" });

  describe("a preview", () => {
    test("says how many sites and kW a dispatch would call, account by account, and writes nothing", async () => {
      await service.made(operator.enrolSite, {
        params: { id: program, site_id: anna.sites[1]?.id ?? "" },
        body: { commitment: null },
      });
      const before = await everything();
      const { status, body } = await preview();
      expect(status).toBe(200);
      expect(body).toMatchObject({
        sites: 3,
        commitment_kw: 100,
        excluded_sites: [],
        accounts: [
          { account_id: anna.accountId, name: "Anna", sites: 2, commitment_kw: 50, commitment_unknown_sites: 1 },
          { account_id: ben.accountId, name: "Ben", sites: 1, commitment_kw: 50, commitment_unknown_sites: 0 },
        ],
      });
      expect(await everything()).toEqual(before);
    });

    test("refuses what issuing a dispatch refuses, in the same words", async () => {
      const start_time = ahead(service, { hours: 1 });
      const site = { site_id: anna.sites[0]?.id };
      for (const body of [
        { start_time: "soon" },
        { start_time, end_time: start_time },
        { start_time: ahead(service, { days: 367 }) },
        { start_time, notification_time: ahead(service, { hours: 2 }) },
        { start_time, program_id: "prg_0" },
        { start_time, sites: [] },
        { start_time, sites: [site, site] },
        { start_time, sites: [{ site_id: "site_0" }] },
        { start_time, program_id: (await service.made(operator.createProgram, { body: empty })).id },
      ]) {
        const whole = { program_id: program, ...body };
        const refused = await service.operator("POST", "/dispatches", whole);
        expectError(refused, 400);
        expect((await service.operator("POST", "/dispatches/preview", whole)).text).toBe(refused.text);
      }
    });

    test("is not there for auditors, who only read", async () => {
      const auditor = await newBrowser(service, "auditor");
      const body = { program_id: program, start_time: ahead(service, { hours: 1 }) };
      expectError(await auditor.operator(operator.previewDispatch, { body }), 404, /for the role auditor/);
    });
  });

  describe("an account's channels and warnings", () => {
    test("a webhook whose last delivery failed is warned of, until one succeeds", async () => {
      const dora = await service.newParticipant();
      const hook = await receiver();
      await subscribe(dora, hook);
      expect(await accountIn(dora)).toMatchObject({
        channels: [
          { channel: "webhook", description: hook.url, last_seen_at: null },
          { channel: "rest", description: "1 key" },
        ],
        warnings: ["The account has no contacts: no mail can be sent when its webhooks fail."],
      });
      hook.answer = 503;
      const own = await newProgram(service, [dora]);
      const { id } = await newDispatch(service, own);
      await failForGood(service, id, 1);
      expect((await accountIn(dora)).warnings).toContain(`The last delivery to webhook ${hook.url} failed.`);
      hook.answer = 200;
      await recorded(service, (await newDispatch(service, own)).id, 1);
      const after = await accountIn(dora);
      expect(after.warnings).toHaveLength(1);
      expect(after.channels[0]).toMatchObject({ last_seen_at: expect.any(String) });
    });
  });
});

describe("overlaps", () => {
  beforeAll(prepareOverlaps);

  describe("a dispatch of sites that are dispatched already", () => {
    test("is issued, and names for each site the other dispatch, its program and until when it lasts", async () => {
      const first = await newDispatch(service, peak, { ...between({ hours: 1 }, { hours: 3 }), sites: one(0) });
      const period = between({ hours: 2 }, { hours: 4 });
      const overlap = {
        dispatch_id: first.id,
        program: "Peak",
        until: ahead(service, { hours: 3 }),
        test: false,
      };
      const preview = await service.operator(operator.previewDispatch, { body: { program_id: reserve, ...period } });
      expect(preview.body.overlapping_sites).toEqual([
        { site_id: twoSites.sites[0]?.id, name: "Anna, site 1", account_id: twoSites.accountId, overlaps: [overlap] },
      ]);
      expect(overlapsOf(await issue(period))).toEqual([[overlap], []]);
    });
  });
});
