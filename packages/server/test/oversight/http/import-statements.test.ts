import { operator } from "@curtail/contract";
import { testOffCitus } from "@curtail/testing/on-citus";
import pg from "pg";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { header, imported, prepare, service } from "../../support/imports-of-sites.js";

beforeAll(prepare);

interface Lines {
  readonly accounts?: number;
  readonly group?: string;
  readonly asset?: string;
  readonly kw?: number;
}

const fileOf = (name: string, count: number, { accounts = 1, group = "g", asset = "load", kw = 12 }: Lines = {}) =>
  `${header},program,commitment_kw\n${Array.from(
    { length: count },
    (_, at) => `${name} ${at % accounts},Site ${at},id-${at},${group},America/Chicago,main,${asset},Peak hours,${kw}`,
  ).join("\n")}`;

/** The statements of an import's transaction, without those of the loops meanwhile. */
const statementsOf = async (csv: string): Promise<number> => {
  const sent = vi.spyOn(pg.Client.prototype, "query");
  try {
    await imported(csv);
    const calls = sent.mock.calls.map(([given]: unknown[], at) => ({
      client: sent.mock.contexts[at],
      text: String((given as { text?: string }).text ?? given),
    }));
    const turn = calls.find(({ text }) => text === "select pg_advisory_xact_lock($1)");
    const own = calls.filter(({ client }) => client === turn?.client).map(({ text }) => text);
    const locked = own.indexOf(turn?.text ?? "");
    return own.indexOf("commit", locked) - own.findLastIndex((text, at) => at < locked && text.startsWith("begin"));
  } finally {
    sent.mockRestore();
  }
};

const both = async (few: string, many: string) => [await statementsOf(few), await statementsOf(many)] as const;

describe("1,000 lines take as many statements as 10", () => {
  testOffCitus("ten sites are in fewer shards than a thousand").each<[string, Lines]>([
    ["of one account", {}],
    ["of 10 accounts", { accounts: 10 }],
  ])("%s: new, unchanged and changed", { timeout: 60_000 }, async (what, lines) => {
    for (const then of [lines, lines, { ...lines, group: "h", asset: "battery", kw: 13 }]) {
      const [few, many] = await both(fileOf(`Few ${what}`, 10, then), fileOf(`Many ${what}`, 1000, then));
      expect(few).toBeGreaterThan(5);
      expect(many).toBe(few);
    }
  });

  test("with meters that are added to sites", async () => {
    const more = (name: string, count: number) => fileOf(name, count).replaceAll(",main,", ",second,");
    await imported(fileOf("Some", 10));
    await imported(fileOf("Others", 1000));
    const [few, many] = await both(more("Some", 10), more("Others", 1000));
    expect(many).toBe(few);
  });
});

const auditOf = async (subject: string) =>
  (await service.made(operator.listAudit, { query: { subject } })).items.map((entry) => ({
    before: null,
    after: null,
    ...entry,
  }));

test("a site is audited with its states, new and changed, as if it had been written alone", async () => {
  await imported(fileOf("Audited", 3));
  await imported(fileOf("Audited", 3, { group: "h", asset: "battery", kw: 13 }));
  const { items } = await service.made(operator.listAllSites, { query: { search: "id-1", limit: 500 } });
  const site = items.find(({ account_name }) => account_name === "Audited 0");
  const meter = site?.meters[0];
  expect(site).toMatchObject({ name: "Site 1", dispatch_group: "h", meters: [{ asset_type: "battery" }] });
  expect(await auditOf(site?.id ?? "")).toMatchObject([
    { action: "program.enrol", before: { commitment: 12 }, after: { commitment: 13 } },
    {
      action: "site.change",
      before: { dispatch_group: "g" },
      after: { dispatch_group: "h" },
    },
    { action: "program.enrol", before: null, after: { commitment: 12 } },
    { action: "site.create", before: null, after: { name: "Site 1", customer_location_id: "id-1" } },
  ]);
  expect(await auditOf(meter?.id ?? "")).toMatchObject([
    { action: "meter.change", before: { asset_type: "load" }, after: { asset_type: "battery" } },
  ]);
});

test("a site is read again before it changes: what was changed meanwhile is audited as it was", async () => {
  await imported(fileOf("Meanwhile", 1));
  const { items } = await service.made(operator.listAllSites, { query: { search: "id-0", limit: 500 } });
  const id = items.find(({ account_name }) => account_name === "Meanwhile 0")?.id ?? "";
  const client = await service.database.pool.connect();
  await client.query("begin");
  await client.query("update sites set display_enabled_at = '2026-01-01T00:00:00Z' where id = $1", [id]);
  const importing = imported(fileOf("Meanwhile", 1, { group: "h" }));
  await vi.waitUntil(async () => {
    const { rows } = await client.query("select from pg_locks where not granted");
    return rows.length > 0;
  });
  await client.query("commit");
  client.release();
  await importing;
  const [{ before, after } = { before: null, after: null }] = await auditOf(id);
  const displayed = { display_enabled_at: "2026-01-01T00:00:00Z" };
  expect([before, after]).toMatchObject([
    { ...displayed, dispatch_group: "g" },
    { ...displayed, dispatch_group: "h" },
  ]);
});

test("two different files at once are both stored", async () => {
  const results = await Promise.all(["One", "Two"].map((name) => imported(fileOf(name, 300))));
  expect(results.map(({ create }) => create.sites)).toEqual([300, 300]);
  const again = await Promise.all(["One", "Two"].map((name) => imported(fileOf(name, 300))));
  expect(again.map(({ unchanged }) => unchanged.enrolments)).toEqual([300, 300]);
});
