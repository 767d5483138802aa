import { getDispatch, operator, type QueryOf, type ReplyOf } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";
import { downloaded, rowsOfBoth } from "../../support/table-rows.js";

let service: Running;
let anna: Participant;
let bert: Participant;
let programId: string;
/** Dispatches by name. */
const ids: Record<string, string> = {};

const hour = (day: string, from: number) =>
  [`2026-06-${day}T${from}:00:00Z`, `2026-06-${day}T${from + 1}:00:00Z`] as const;
const upload = (of: Participant, [from, to]: readonly [string, string], kw: number) =>
  uploadIntervals(
    of,
    of.sites[0]?.meters[0] ?? "",
    intervalsBetween([from, to], 300, () => kw),
  );

type Query = QueryOf<typeof operator.listDispatchResults>;
type Result = ReplyOf<typeof operator.listDispatchResults>["items"][number];

const list = (query: Query = {}) => service.made(operator.listDispatchResults, { query });
const namesOf = (items: readonly Result[]) =>
  items.map(({ dispatch_id }) => Object.entries(ids).find(([, id]) => id === dispatch_id)?.[0]);
const only = async (name: string, query: Query = {}): Promise<Result | undefined> =>
  (await list(query)).items.find(({ dispatch_id }) => dispatch_id === ids[name]);

// Two accounts with a site of 100 kW each; both commit 40 kW.
beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-06-01T00:00:00Z"));
  anna = await service.newParticipant({ name: "Anna's works", sites: [["main"]] });
  bert = await service.newParticipant({ name: "=Bert", sites: [["main"]] });
  programId = await measuredProgram(service, [anna, bert], {
    name: "=June program",
    timezone: "America/New_York",
    baseline: meanOfDays(3),
    commitment: 40,
  });
  const later = new Date("2026-06-12T00:00:00Z");
  service.clock.set(later);
  for (const of of [anna, bert]) await upload(of, ["2026-06-04T00:00:00Z", "2026-06-12T00:00:00Z"], 100);
  await upload(anna, hour("09", 18), 70);
  await upload(bert, hour("09", 18), 50);
  // The accounts are notified of the first; the others are over when they are created, and are records (G61).
  service.clock.set(new Date("2026-06-09T17:00:00Z"));
  ids["first"] = await dispatchBetween(service, programId, hour("09", 18));
  await anna.call(getDispatch, { params: { id: ids["first"] } });
  service.clock.set(later);
  ids["night"] = await dispatchBetween(service, programId, ["2026-06-09T02:00:00Z", "2026-06-09T03:00:00Z"]);
  ids["voided"] = await dispatchBetween(service, programId, hour("11", 18));
  ids["test"] = await dispatchBetween(service, programId, hour("11", 20), { test: true });
  ids["upcoming"] = await dispatchBetween(service, programId, hour("30", 18));
  ids["never"] = await dispatchBetween(service, programId, hour("29", 18));
  for (const name of ["night", "first", "voided", "test"]) await untilVersions(service, ids[name] ?? "", 1);
  const change = (name: string, body: object) =>
    service.made(operator.changeDispatch, { params: { id: ids[name] ?? "" }, body });
  await change("voided", { authorized: false, void_reason: "by mistake" });
  await change("never", { authorized: false });
  service.clock.set(new Date("2026-06-30T20:00:00Z"));
});

describe("results of past dispatches", () => {
  test("are those that stand, newest first, without those that were cancelled before their start", async () => {
    const { items, next_cursor } = await list();
    expect(next_cursor).toBeNull();
    expect(namesOf(items)).toEqual(["upcoming", "test", "voided", "first", "night"]);
    expect(items.find(({ dispatch_id }) => dispatch_id === ids["first"])).toMatchObject({
      program_name: "=June program",
      timezone: "America/New_York",
      local_date: "2026-06-09",
      duration_seconds: 3600,
      test: false,
      state: "final",
      version: 1,
      later_version: false,
      sites: 2,
      measured_sites: 2,
      commitment_kw: 80,
      mean_reduction_kw: 80,
      performance: 1,
      delivered_energy_kwh: 80,
      committed_energy_kwh: 80,
      coverage: 1,
      judged_sites: 2,
      share_on_commitment: 0.5,
      accounts: 2,
      reached_accounts: 1,
    });
    expect(await only("voided")).toMatchObject({
      state: "voided",
      void_reason: "by mistake",
      performance: null,
      measured_sites: 0,
    });
    expect(await only("upcoming")).toMatchObject({ state: "pending", version: null, mean_reduction_kw: null });
  });

  test("are those of an account or a site when asked for them, and nothing of others", async () => {
    const own = await only("first", { account_id: anna.accountId });
    expect(own).toMatchObject({ sites: 1, accounts: 1, commitment_kw: 40, mean_reduction_kw: 30, performance: 0.75 });
    const site = await only("first", { site_id: bert.sites[0]?.id ?? "" });
    expect(site).toMatchObject({ sites: 1, mean_reduction_kw: 50, performance: 1.25 });
    expect((await list({ account_id: anna.accountId, site_id: bert.sites[0]?.id ?? "" })).items).toEqual([]);
    expect((await list({ program_id: "prg_0" })).items).toEqual([]);
  });

  test("count on the local day of the start in the zone of the program", async () => {
    expect(namesOf((await list({ from: "2026-06-09", to: "2026-06-09" })).items)).toEqual(["first"]);
    expect(namesOf((await list({ to: "2026-06-08" })).items)).toEqual(["night"]);
    expect(namesOf((await list({ from: "2026-06-10", tests: "excluded" })).items)).toEqual(["upcoming", "voided"]);
    expect(namesOf((await list({ tests: "only" })).items)).toEqual(["test"]);
    for (const [query, message] of [
      [{ from: "2026-06-31" }, /from is "2026-06-31"/],
      [{ from: "2026-06-02", to: "2026-06-01" }, /to is before from/],
      [{ cursor: "x" }, /cursor is not valid/],
    ] as const)
      expectError(await service.operator(operator.listDispatchResults, { query }), 400, message);
  });

  test("come in pages, in either order, each dispatch once", async () => {
    for (const order of ["newest", "oldest"] as const) {
      const whole = namesOf((await list({ order })).items);
      const paged: Array<string | undefined> = [];
      let cursor: string | null = null;
      do {
        const page = await list({ order, limit: 2, ...(cursor === null ? {} : { cursor }) });
        paged.push(...namesOf(page.items));
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(paged).toEqual(whole);
    }
  });

  test("are a file with the same figures, and the times on the clocks of the program", async () => {
    const { csv, parquet } = await rowsOfBoth(service, "/operator/v1/dispatch-results/download?order=oldest");
    expect(csv.map(({ dispatch_id }) => dispatch_id)).toEqual(
      ["night", "first", "voided", "test", "upcoming"].map((name) => ids[name]),
    );
    expect(csv[1]).toMatchObject({
      program_name: "'=June program",
      local_start: "2026-06-09T14:00:00-04:00",
      local_end: "2026-06-09T15:00:00-04:00",
      state: "final",
      mean_reduction_kw: 80,
    });
    expect(parquet[1]).toMatchObject({ program_name: "=June program", delivered_energy_kwh: 80, performance: 1 });
    const named = await downloaded(service, "/operator/v1/dispatch-results/download?from=2026-06-01&to=2026-06-30");
    expect(named.headers.get("content-disposition")).toContain('"dispatch-results-from-2026-06-01-to-2026-06-30.csv"');
  });

  test("say how many accounts the latest change reached", async () => {
    expect(await only("first")).toMatchObject({ accounts: 2, reached_accounts: 1 });
    expect(await only("first", { account_id: bert.accountId })).toMatchObject({ accounts: 1, reached_accounts: 0 });
  });
});

describe("a dispatch as files", () => {
  test("has the result of each site, as of a version", async () => {
    const path = `/operator/v1/dispatches/${ids["first"]}/performance/download`;
    const { csv } = await rowsOfBoth(service, path);
    expect(csv.map((row) => [row["account_id"], row["mean_reduction_kw"], row["performance"], row["status"]])).toEqual([
      [anna.accountId, 30, 0.75, expect.any(String)],
      [bert.accountId, 50, 1.25, expect.any(String)],
    ]);
    const file = await downloaded(service, `${path}?version=1`);
    expect(file.headers.get("content-disposition")).toContain(`"${ids["first"]}-v1-sites.csv"`);
    expectError(
      await service.operator(operator.downloadSiteResults, { params: { id: "dis_0" } }),
      404,
      /No such dispatch/,
    );
  });

  test("has its evidence, with the names of the accounts", async () => {
    const path = `/operator/v1/dispatches/${ids["first"]}/evidence/download`;
    const { csv, parquet } = await rowsOfBoth(service, path);
    const items = await service.made(operator.listEvidence, { params: { id: ids["first"] ?? "" } });
    expect(parquet).toHaveLength(items.items.length);
    expect(csv.map(({ what, account_id }) => [what, account_id])).toEqual(
      items.items.map(({ what, account_id }) => [what, account_id]),
    );
    expect(parquet.map(({ account_name }) => account_name)).toContain("=Bert");
    expect(String(csv[0]?.["local_time"])).toMatch(/-04:00$/);
    const own = await rowsOfBoth(service, `${path}?account_id=${anna.accountId}`);
    expect(new Set(own.csv.map(({ account_id }) => account_id))).toEqual(new Set([anna.accountId]));
    const foreign = await fetch(`${service.url}${path}?account_id=acc_0`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    expect(foreign.status).toBe(400);
  });
});

describe("the portfolio as files", () => {
  test("has accounts and sites, filtered as the lists are", async () => {
    const accounts = await rowsOfBoth(service, "/operator/v1/accounts/download");
    expect(accounts.parquet.map(({ name }) => name)).toEqual(["Anna's works", "=Bert"]);
    expect(accounts.csv[1]).toMatchObject({ name: "'=Bert", disabled: "false" });
    const sites = await rowsOfBoth(service, `/operator/v1/sites/download?account_id=${bert.accountId}`);
    expect(sites.parquet).toEqual([
      expect.objectContaining({ id: bert.sites[0]?.id, account_name: "=Bert", meters: 1 }),
    ]);
  });
});
