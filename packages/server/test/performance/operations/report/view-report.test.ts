import { expect, test } from "vitest";
import { accountStore } from "../../../../src/access/storage/account-store.js";
import { KeptReports } from "../../../../src/performance/operations/report/kept-reports.js";
import {
  type ReportPorts,
  type ReportQuestion,
  readReportPage,
} from "../../../../src/performance/operations/report/view-report.js";
import { standingReader } from "../../../../src/performance/storage/standing-reader.js";
import type { Queryable } from "../../../../src/platform/database/database.js";
import { isRefusal } from "../../../../src/platform/refusal.js";
import { rulesStore } from "../../../../src/portfolio/storage/rules-store.js";
import { scheduleStore } from "../../../../src/portfolio/storage/schedule-store.js";
import { siteStore } from "../../../../src/portfolio/storage/site-store.js";
import { sharedEnergyIn } from "../../../../src/settlement/operations/shared-energy.js";
import { termsStore } from "../../../../src/settlement/storage/terms-store.js";
import { enableDisplay } from "../../../support/display.js";
import { dispatchBetween, meanOfDays, measuredProgram } from "../../../support/measuring.js";
import { firstOf } from "../../../support/metering.js";
import { running } from "../../../support/running.js";

test("further pages of a report add nothing up again, but for a viewer who sees other sites, and after a minute", async () => {
  const service = await running();
  service.clock.set(new Date("2026-06-12T00:00:00Z"));
  const participant = await service.newParticipant({ sites: [["main"], ["main"], ["main"]] });
  await enableDisplay(service, participant);
  const programId = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40 });
  await dispatchBetween(service, programId, ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"]);
  let statements = 0;
  const { pool } = service.database;
  const db = {
    query: (...asked: unknown[]) => {
      statements += 1;
      return (pool.query as (...each: unknown[]) => unknown)(...asked);
    },
  } as unknown as Queryable;
  const standing = standingReader(db);
  const stores = {
    sites: siteStore(db, async () => new Set()),
    schedule: scheduleStore(db),
    accounts: accountStore(db),
  };
  const ports: ReportPorts = {
    standing,
    stores,
    sharedIn: sharedEnergyIn({ stores: { terms: termsStore(db), rules: rulesStore(db) }, standing }),
    keptReports: new KeptReports(service.clock),
  };
  const question = (viewer: ReportQuestion["viewer"]): ReportQuestion => ({
    from: "2026-06-01",
    to: "2026-06-30",
    tests: false,
    viewer,
    filter: { accountId: participant.accountId },
  });
  const page = async (viewer: ReportQuestion["viewer"], cursor?: string) => {
    statements = 0;
    const report = await readReportPage(ports, question(viewer), "site", {
      limit: 1,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (isRefusal(report)) throw new Error(report.message);
    return { statements, sites: report.rows.length, outcomes: report.total.outcomes };
  };
  const first = await page("operators");
  expect(first).toMatchObject({ sites: 3, outcomes: { not_final: 3 } });
  expect(first.statements).toBeGreaterThan(4);
  expect(await page("operators", "next")).toEqual({ ...first, statements: 0 });
  // The first page is of now.
  expect((await page("operators")).statements).toBe(first.statements);

  const person = { accountId: participant.accountId, sees: "displayed sites" } as const;
  expect((await page(person)).sites).toBe(3);
  expect(await page(person, "next")).toMatchObject({ statements: 1, sites: 3 });
  const { siteId } = firstOf(participant);
  await pool.query("update sites set display_enabled_at = null where id = $1", [siteId]);
  const without = await page(person, "next");
  expect(without.sites).toBe(2);
  expect(without.statements).toBeGreaterThan(4);

  service.clock.advance({ seconds: 61 });
  expect((await page("operators", "next")).statements).toBe(first.statements);
});
