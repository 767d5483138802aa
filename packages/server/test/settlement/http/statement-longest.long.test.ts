import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { sendTimed } from "../../support/event-loop.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { OPERATOR_TOKEN, type Running, running } from "../../support/running.js";
import { setTerms, statementMade } from "../../support/settling.js";

const [SITES, DISPATCHES] = [1000, 30];
/** As for other long requests; garbage collection and the decoding of a thousand results in one reply included. */
const MOST_BLOCKED_MS = 150;

/** Copies the rows of a table that meet a condition, with other values in some columns, once per row of `series`. */
const copyRows = async (
  { database: { pool } }: Running,
  table: string,
  {
    series,
    where,
    values,
  }: { readonly series: string; readonly where: string; readonly values: Record<string, string> },
): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const selected = names.map((name) => values[name] ?? `original.${name}`);
  await pool.query(
    `insert into ${table} (${names.join(", ")}) select ${selected.join(", ")}
     from ${table} as original cross join ${series} where ${where}`,
  );
};

const later = (column: string) => `${column} + nth * interval '3 hours'`;

/** An account of a thousand sites that were dispatched thirty times in June, copied from one that was measured. */
const longest = async (service: Running) => {
  service.clock.set(new Date("2026-06-12T00:00:00Z"));
  const participant = await service.newParticipant();
  const { siteId, meterId } = firstOf(participant);
  await uploadIntervals(
    participant,
    meterId,
    intervalsBetween(["2026-06-05T00:00:00Z", "2026-06-12T00:00:00Z"], 300, (endMs) => 100 - (endMs % 11)),
  );
  const program = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40 });
  const id = await dispatchBetween(service, program, ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"]);
  await untilVersions(service, id, 1);
  const site = `'${siteId}' || '_' || site`;
  const sites = `generate_series(2, ${SITES}) as site`;
  await copyRows(service, "sites", {
    series: sites,
    where: `id = '${siteId}'`,
    values: { id: site, name: "'Site ' || site" },
  });
  await copyRows(service, "enrolments", { series: sites, where: `site_id = '${siteId}'`, values: { site_id: site } });
  await copyRows(service, "dispatch_sites", {
    series: sites,
    where: `dispatch_id = '${id}'`,
    values: { site_id: site, position: "site", name: "'Site ' || site" },
  });
  const result = `summary || jsonb_build_object('siteId', ${site})`;
  await copyRows(service, "performance_results", {
    series: sites,
    where: `dispatch_id = '${id}'`,
    values: { site_id: site, summary: result, detail: "'{}'" },
  });
  const dispatches = `generate_series(2, ${DISPATCHES}) as nth`;
  const where = (column: string) => `${column} = '${id}'`;
  const dispatch = `'${id}_' || nth`;
  await copyRows(service, "dispatches", {
    series: dispatches,
    where: where("id"),
    values: { id: dispatch, start_time: later("start_time"), end_time: later("end_time") },
  });
  for (const table of ["dispatch_sites", "performance_versions", "performance_results"]) {
    await copyRows(service, table, {
      series: dispatches,
      where: where("dispatch_id"),
      values: { dispatch_id: dispatch },
    });
  }
  return { program, accountId: participant.accountId };
};

test("a statement of a thousand sites and thirty dispatches holds nobody up", { timeout: 300_000 }, async () => {
  const service = await running();
  const { program, accountId } = await longest(service);
  const energy = { price_per_kwh: "0.1", counted: "net", highest_share: null } as const;
  const penalty = {
    below: "0.9",
    price_per_kwh: "0.5",
    counted: "capped",
    highest_per_month: null,
    within_earnings: true,
  } as const;
  await setTerms(service, program, {
    capacity: { price_per_kw: "4.5", factor: { lowest: "0", highest: "1" } },
    energy,
    penalty,
  });
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const url = `${service.url}/operator/v1/statements`;
  const timed = async (what: string, path: string, body?: object) => {
    const sent = { method: body === undefined ? "GET" : "POST", headers, body: body && JSON.stringify(body) };
    const answer = await sendTimed(url + path, sent, MOST_BLOCKED_MS);
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(answer.blockedMs, what).toBeLessThan(MOST_BLOCKED_MS);
    return answer.text;
  };
  await timed("making it", "", { month: "2026-06", account_id: accountId });
  await timed("making it again", "", { month: "2026-06", account_id: accountId });
  const id = await statementMade(service, accountId, "2026-06");
  const csv = await timed("reading it as CSV", `/${id}?format=csv`);
  // Each site has a line for its capacity, and one for the limit of its penalties.
  expect(csv.trim().split("\r\n")).toHaveLength(1 + SITES * (2 + 2 * DISPATCHES));
  await timed("reading it as JSON", `/${id}`);
  await timed("printing it", `/${id}?format=html`);
  expect((await service.made(operator.listAllStatements, {})).items).toHaveLength(1);
});
