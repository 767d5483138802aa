import { expect, test } from "vitest";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { recomputed, written } from "../../support/recomputing.js";
import { running } from "../../support/running.js";
import { type AnyStatement, setTerms, statementMade, statementOf } from "../../support/settling.js";

const totalsOf = (statement: AnyStatement) => statement.totals.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));

const hour = (day: string) => [`2026-06-${day}T18:00:00Z`, `2026-06-${day}T19:00:00Z`] as const;

/** Three sites with uneven loads in four dispatches, one of them without a baseline and one without a commitment. */
const settled = async () => {
  const service = await running();
  service.clock.set(new Date("2026-06-14T00:00:00Z"));
  const participant = await service.newParticipant({ name: '=cmd|"x",y', sites: [["a"], ["b"], ["c"]] });
  const [a, b] = participant.sites;
  const load = (site: typeof a, period: readonly [string, string], kwAt: (endMs: number) => number) =>
    uploadIntervals(participant, site?.meters[0] ?? "", intervalsBetween(period, 300, kwAt));
  const days = ["2026-06-05T00:00:00Z", "2026-06-14T00:00:00Z"] as const;
  await load(a, days, (endMs) => 97.31 + (endMs % 7) / 3);
  await load(b, days, () => 50);
  const program = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 33.3 });
  const other = await measuredProgram(service, [participant], {
    baseline: meanOfDays(3),
    commitment: null,
    name: "Yen",
  });
  for (const [index, day] of ["10", "11", "12", "13"].entries()) {
    await load(a, hour(day), (endMs) => 60 + index * 13.7 + ((endMs / 300_000) % 5) / 7);
    await load(b, hour(day), () => 50 + (index % 2) * 20 - 7.77);
  }
  const ids = [];
  for (const day of ["10", "11", "12"]) ids.push(await dispatchBetween(service, program, hour(day)));
  ids.push(await dispatchBetween(service, other, hour("13")));
  for (const id of ids) await untilVersions(service, id, 1);
  await dispatchBetween(service, program, hour("28"));
  return { service, program, other, accountId: participant.accountId };
};

test("a statement is computed again in SQL from its files, line by line and total by total", async () => {
  const { service, program, other, accountId } = await settled();
  const energy = { price_per_kwh: "0.123457", counted: "net", highest_share: "0.9" } as const;
  const penalty = {
    below: "0.85",
    price_per_kwh: "3.333333",
    counted: "capped",
    highest_per_month: "60.005",
    within_earnings: true,
  } as const;
  const capacity = { price_per_kw: "1.111111", factor: { lowest: "0.1", highest: "0.95" } };
  await setTerms(service, program, { capacity, energy, penalty });
  await setTerms(service, other, {
    currency: "JPY",
    capacity,
    energy: { ...energy, counted: "floored", price_per_kwh: "17.5" },
  });
  const id = await statementMade(service, accountId, "2026-06");
  const statement = await statementOf(service, id);
  const kinds = new Set(statement.sites.flatMap(({ lines }) => lines.map(({ kind }) => kind)));
  expect([...kinds].toSorted()).toEqual(["cap", "capacity", "energy", "penalty"]);
  const { differences, totals, lines } = await recomputed(service, id);
  expect(differences).toEqual([]);
  expect(lines).toBe(statement.sites.flatMap((site) => site.lines).length);
  expect(written(totals)).toEqual(totalsOf(statement));

  const falsified = await recomputed(service, id, (csv) => csv.replace(/,USD,(-?\d+)\.(\d\d),/, ",USD,$1.99,"));
  expect(falsified.differences).toHaveLength(1);

  for (const counted of ["floored", "capped", "net"] as const) {
    await setTerms(service, program, {
      currency: "KWD",
      energy: { ...energy, counted, highest_share: null },
      penalty: { ...penalty, counted, highest_per_month: null, within_earnings: counted === "net" },
    });
    await statementMade(service, accountId, "2026-06");
    const again = await recomputed(service, id);
    expect(again.differences, counted).toEqual([]);
    expect(written(again.totals)).toEqual(totalsOf(await statementOf(service, id)));
  }
});
