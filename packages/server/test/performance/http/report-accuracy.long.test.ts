import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, meanOfDays, measuredProgram } from "../../support/measuring.js";
import { running } from "../../support/running.js";

const SITES = 21;

test("accuracy is computed for the sites of a page, of however many the report has", async () => {
  const service = await running();
  service.clock.set(new Date("2026-06-12T00:00:00Z"));
  const participant = await service.newParticipant({ sites: Array.from({ length: SITES }, () => ["main"]) });
  const programId = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40 });
  await dispatchBetween(service, programId, ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"]);
  const query = { from: "2026-06-01", to: "2026-06-30", program_id: programId, accuracy: "true" } as const;

  expectError(await service.operator(operator.getAnyPerformanceReport, { query }), 400, /at most 20 sites, and 21/);
  const first = await service.made(operator.getAnyPerformanceReport, { query: { ...query, limit: 20 } });
  expect(first.rows.map(({ accuracy_days }) => accuracy_days)).toEqual(Array.from({ length: 20 }, () => 0));
  const cursor = first.next_cursor ?? "";
  const last = await service.made(operator.getAnyPerformanceReport, { query: { ...query, cursor } });
  expect(last.rows.map(({ accuracy_days }) => accuracy_days)).toEqual([0]);
  expectError(await service.operator(operator.downloadAnyPerformanceReport, { query }), 400, /at most 20 sites/);
});
