import { expect, test } from "vitest";
import { type SharedEnergyIn, standingResults } from "../../../src/performance/operations/final/standing-results.js";
import { onceOthersAreKnown } from "../../../src/performance/operations/report/shared-in-order.js";
import { standingReader } from "../../../src/performance/storage/standing-reader.js";
import type { Queryable } from "../../../src/platform/database/database.js";
import { rulesStore } from "../../../src/portfolio/storage/rules-store.js";
import { sharedEnergyIn } from "../../../src/settlement/operations/shared-energy.js";
import { termsStore } from "../../../src/settlement/storage/terms-store.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { running } from "../../support/running.js";
import { DOLLAR, setTerms } from "../../support/settling.js";

const DAY_MS = 86_400_000;
const JUNE = { fromMs: Date.parse("2026-06-01T00:00:00Z"), toMs: Date.parse("2026-07-01T00:00:00Z") };

const sharedIn = (db: Queryable): SharedEnergyIn =>
  sharedEnergyIn({ stores: { terms: termsStore(db), rules: rulesStore(db) }, standing: standingReader(db) });

test("energy that dispatches of a month share is read in pieces, and is what each shares when read by itself", async () => {
  const service = await running();
  service.clock.set(new Date("2026-05-31T00:00:00Z"));
  const participant = await service.newParticipant({ sites: [["main"], ["main"]] });
  const programs = [];
  for (const name of ["Summer Peak", "Fast Reserve"]) {
    service.clock.advance({ seconds: 60 });
    const id = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40, name });
    await setTerms(service, id, DOLLAR);
    programs.push(id);
  }
  service.clock.set(new Date("2026-06-20T00:00:00Z"));
  for (const { meters } of participant.sites)
    await uploadIntervals(
      participant,
      meters[0] ?? "",
      intervalsBetween(["2026-06-01T00:00:00Z", "2026-06-20T00:00:00Z"], 900, (endMs) =>
        endMs % DAY_MS > 18 * 3_600_000 && endMs % DAY_MS <= 20 * 3_600_000 ? 50 : 100,
      ),
    );
  const ids: string[] = [];
  for (let day = 10; day < 18; day++) {
    for (const [nth, programId] of programs.entries()) {
      service.clock.advance({ seconds: 60 });
      const period = [`2026-06-${day}T18:${nth * 3}0:00Z`, `2026-06-${day}T19:${nth * 3}0:00Z`] as const;
      ids.push(await dispatchBetween(service, programId, period));
    }
  }
  for (const id of ids) await untilVersions(service, id, 1);

  const { pool } = service.database;
  let statements = 0;
  const counted = {
    query: (...asked: unknown[]) => {
      statements += 1;
      return (pool.query as (...each: unknown[]) => unknown)(...asked);
    },
  } as unknown as Queryable;
  const together = await sharedIn(counted)(JUNE, {});
  const found = [];
  for (const id of ids) found.push(await together.of(id));
  // Dispatches, terms, rules, then sites, versions and results of all sixteen; two for each of them before.
  expect(statements).toBeLessThanOrEqual(6);
  for (const [nth, id] of ids.entries()) {
    const alone = await (await sharedIn(pool)(JUNE, {})).of(id);
    expect(found[nth]).toEqual(alone);
    expect([...alone.values()].flat()).toMatchObject([
      { dispatchId: ids[nth % 2 === 0 ? nth + 1 : nth - 1], intervals: 60, isPaidHere: nth % 2 === 0 },
      { isPaidHere: nth % 2 === 0 },
    ]);
  }

  // A report has read their results already.
  statements = 0;
  const known = await sharedIn(counted)(JUNE, {});
  const asKnown = [];
  for await (const { dispatch } of onceOthersAreKnown(standingResults(standingReader(pool), JUNE, {}), known))
    asKnown.push(await known.of(dispatch.id));
  expect(asKnown).toEqual(found);
  // Dispatches, terms and rules.
  expect(statements).toBeLessThanOrEqual(3);
});
