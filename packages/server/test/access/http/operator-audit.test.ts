import { claimKey } from "@curtail/client";
import { changeSchedule, createTestDispatch, operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Reliability: the audit log is append only, and records every change in the transaction of the change.
let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
});

interface Entry {
  readonly action: string;
  readonly actor: string;
  readonly subject: string;
  readonly account_id: string | null;
  readonly at: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

/** The entries that the writes add, oldest first. */
const auditOf = async (write: () => Promise<unknown>): Promise<Entry[]> => {
  const newest = (await service.operator(operator.listAudit, { query: { limit: 1 } })).body.items[0]?.id;
  await write();
  const { items } = (await service.operator("GET", "/audit?limit=500")).body;
  const added = items.findIndex((entry: { id: string }) => entry.id === newest);
  return items.slice(0, added < 0 ? undefined : added).toReversed();
};

describe("the audit log", () => {
  test("holds a change with what was before and after, who made it and when", async () => {
    const [entry] = await auditOf(() =>
      service.operator(operator.changeAccount, { params: { id: anna.accountId }, body: { name: "Renamed" } }),
    );
    expect(entry).toMatchObject({
      action: "account.change",
      actor: "operator",
      at: ahead(service, {}),
      subject: anna.accountId,
      account_id: anna.accountId,
      before: { name: expect.stringMatching(/^Participant/), disabled: false },
      after: { name: "Renamed", disabled: false },
    });
  });

  test("holds every write of the operator, creations without a before and deletions without an after", async () => {
    const site = anna.sites[0];
    const program = await newProgram(service, [anna]);
    const person = { name: "A", email: "a@example.com" };
    const { id: contact } = await service.made(operator.createContact, {
      params: { id: anna.accountId },
      body: person,
    });
    const entries = await auditOf(async () => {
      await service.operator(operator.createAccount, { body: { name: "New" } });
      await service.operator(operator.createContact, { params: { id: anna.accountId }, body: person });
      await service.operator(operator.deleteContact, { params: { id: contact } });
      await service.operator(operator.createSite, { params: { id: anna.accountId }, body: { name: "New" } });
      await service.operator(operator.changeSite, { params: { id: site?.id ?? "" }, body: { name: "Renamed" } });
      await service.operator(operator.createMeter, { params: { id: site?.id ?? "" }, body: { name: "New" } });
      await service.operator(operator.changeMeter, {
        params: { id: site?.meters[0] ?? "" },
        body: { name: "Renamed" },
      });
      await service.operator(operator.createProgram, {
        body: wireProgram({ name: "New", program_type: "energy" }),
      });
      await service.operator(operator.changeProgram, { params: { id: program }, body: { market: "PJM" } });
      await service.operator(operator.enrolSite, {
        params: { id: program, site_id: site?.id ?? "" },
        body: { commitment: 51 },
      });
      const { id } = await newDispatch(service, program);
      await service.operator(operator.changeDispatch, {
        params: { id },
        body: { end_time: ahead(service, { hours: 5 }) },
      });
      await service.operator(operator.changeDispatch, { params: { id }, body: { authorized: false } });
      await service.operator(operator.withdrawSite, { params: { id: program, site_id: site?.id ?? "" } });
    });
    expect(entries.map(({ action, before, after }) => [action, before !== null, after !== null])).toEqual([
      ["account.create", false, true],
      ["contact.create", false, true],
      ["contact.delete", true, false],
      ["site.create", false, true],
      ["site.change", true, true],
      ["meter.create", false, true],
      ["meter.change", true, true],
      ["program.create", false, true],
      ["program.change", true, true],
      ["program.enrol", true, true],
      ["dispatch.create", false, true],
      ["dispatch.change", true, true],
      ["dispatch.cancel", true, true],
      ["program.withdraw", true, false],
    ]);
    expect(entries.every((entry) => entry.actor === "operator")).toBe(true);
  });

  test("holds of a dispatch how many sites it has and their commitment; the dispatch has the sites", async () => {
    const ben = await service.newParticipant({ sites: [["main"], ["main"]] });
    const program = await newProgram(service, [ben]);
    const [entry] = await auditOf(() => newDispatch(service, program));
    expect(entry?.after).toMatchObject({ site_count: 2, commitment_kw: 100 });
    expect(entry?.after).not.toHaveProperty("sites");
  });

  test("holds what participants do under their key, and no secret", async () => {
    const times = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    const far = { start_time: ahead(service, { days: 9 }), end_time: ahead(service, { days: 10 }) };
    const entries = await auditOf(async () => {
      await anna.call(createTestDispatch, { body: times });
      await anna.call(changeSchedule, {
        params: { site_id: anna.sites[0]?.id ?? "" },
        body: { available: false, ...far },
      });
      const { claim_url } = await service.made(operator.createKey, {
        params: { id: anna.accountId },
        body: { environment: "production" },
      });
      const { api_key } = await claimKey(claim_url);
      const { text } = await service.operator(operator.listAudit, { query: { limit: 500 } });
      for (const secret of [api_key.slice(-40), claim_url.split("/").at(-1) ?? "", anna.key.slice(-40)])
        expect(text).not.toContain(secret);
    });
    expect(entries.map(({ action, actor }) => [action, actor.replace(/^key:.*/, "key")])).toEqual([
      ["dispatch.create", "key"],
      ["schedule.create", "key"],
      ["key.create", "operator"],
      ["key.claim", "key"],
    ]);
  });

  test("holds a revoked key and a removed block", async () => {
    const ben = await service.newParticipant();
    const far = { start_time: ahead(service, { days: 9 }), end_time: ahead(service, { days: 10 }) };
    const siteId = ben.sites[0]?.id ?? "";
    await ben.call(changeSchedule, { params: { site_id: siteId }, body: { available: false, ...far } });
    const { items } = (await service.operator(operator.listSchedule, { params: { id: siteId } })).body;
    const id = items[0]?.id ?? "none";
    const entries = await auditOf(async () => {
      await service.operator(operator.deleteScheduleBlock, { params: { id } });
      await service.operator(operator.revokeKey, { params: { id: ben.keyId } });
    });
    expect(entries).toMatchObject([
      { action: "schedule.delete", subject: id, before: { id }, after: null },
      { action: "key.revoke", subject: ben.keyId, account_id: ben.accountId },
    ]);
  });

  test("has no entry for refused requests or those that changed nothing", async () => {
    const { id } = await newDispatch(service, await newProgram(service, [anna]), {
      start_time: ahead(service, { days: 20 }),
    });
    const entries = await auditOf(async () => {
      await service.operator(operator.createAccount, { body: { name: "" } });
      await service.operator(operator.changeAccount, { params: { id: "acc_0" }, body: { name: "x" } });
      await service.operator(operator.changeDispatch, { params: { id }, body: {} });
      await service.operator(operator.changeDispatch, {
        params: { id },
        body: { start_time: ahead(service, { days: 400 }) },
      });
    });
    expect(entries).toEqual([]);
  });

  test("has no entry for a change that repeats lists and objects", async () => {
    const site = anna.sites[0]?.id ?? "";
    const program = {
      holidays: ["2026-12-25"],
      baseline: { preset: "high_4_of_5" as const },
      openadr: { level: 1 as const, ramp_up_seconds: 60 },
      status_limits: { amber_from: 0.5, green_from: 0.9, green_to: 1.2, stale_seconds: 90, least_coverage: 0.8 },
    };
    const id = await newProgram(service, [anna]);
    const ven = await service.made(operator.createVen, {
      params: { id: anna.accountId },
      body: { ven_id: "repeats", sites: [site] },
    });
    const change = async () => {
      await service.made(operator.changeProgram, { params: { id }, body: program });
      await service.made(operator.enrolSite, {
        params: { id, site_id: site },
        body: { commitment: 7, baseline: { preset: "ten_of_ten" } },
      });
      await service.made(operator.changeVen, {
        params: { id: ven.id },
        body: { sites: [site], targets: { ven_id: true } },
      });
    };
    await change();
    expect(await auditOf(change)).toEqual([]);
  });

  test("cannot be changed, emptied or shortened: the database refuses", async () => {
    const { pool } = service.database;
    const before = (await service.operator(operator.listAudit, { query: { limit: 500 } })).text;
    for (const statement of ["update audit_log set actor = 'nobody'", "delete from audit_log", "truncate audit_log"]) {
      await expect(pool.query(statement)).rejects.toThrow(/append-only/);
    }
    expect((await service.operator(operator.listAudit, { query: { limit: 500 } })).text).toBe(before);
  });
});

/** Actions of the entries that match a query. */
const listed = async (query: string): Promise<string[]> =>
  (await service.operator("GET", `/audit?limit=500&${query}`)).body.items.map((entry: Entry) => entry.action);

const site = (index: number) => ({ id: `site_${index}` });

/** The answer for a dispatch's creation, as an older version wrote it with this many sites. */
const withSites = async (subject: string, count: number) => {
  const at = service.clock.now();
  const sites = Array.from({ length: count }, (_, index) => ({ ...site(index), commitmentKw: null }));
  const after = { start: at, end: null, authorized: true, modificationNumber: 0, sites };
  const sql =
    "insert into audit_log (at, actor, action, subject, after) values ($1, 'operator', 'dispatch.create', $2, $3)";
  await service.database.pool.query(sql, [at, subject, JSON.stringify(after)]);
  return (await service.operator("GET", `/audit?subject=${subject}`)).body.items[0].after;
};

describe("the list of audit entries", () => {
  test("has a hundred elements of a longer list, and how many more there are", async () => {
    const edge = await withSites("dis_edge", 100);
    expect([edge.sites.length, edge.omitted]).toEqual([100, undefined]);
    const { sites, omitted } = await withSites("dis_long", 50_000);
    expect(sites).toMatchObject(Array.from({ length: 100 }, (_, index) => site(index)));
    expect(omitted).toEqual({ sites: 49_900 });
  });

  test("is narrowed by account, actor, action and subject, each exactly and all together", async () => {
    const ben = await service.newParticipant();
    const admin = await newBrowser(service, "operator-admin");
    await admin.operator(operator.changeAccount, { params: { id: ben.accountId }, body: { name: "Renamed" } });
    const own = `account_id=${ben.accountId}`;
    expect(await listed(own)).toEqual(["account.change", "key.claim", "key.create", "site.create", "account.create"]);
    expect(await listed(`${own}&actor=operator`)).toEqual(["key.create", "site.create", "account.create"]);
    expect(await listed(`actor=user:${admin.id}`)).toEqual(["account.change", "session.create", "user.set_password"]);
    expect(await listed(`subject=${ben.accountId}`)).toEqual(["account.change", "account.create"]);
    expect(await listed(`subject=${ben.accountId}&action=account.create`)).toEqual(["account.create"]);
    expect(await listed(`${own}&action=account`)).toEqual([]);
    expect(await listed("actor=%00")).toEqual([]);
    expect((await service.operator("GET", `/audit?${own}&limit=1`)).body.next_cursor).not.toBeNull();
  });

  test("is narrowed to a time, the moment it begins at included and the one it ends at not", async () => {
    service.clock.advance({ hours: 1 });
    const { id } = await service.made(operator.createAccount, { body: { name: "On time" } });
    const at = encodeURIComponent(ahead(service, {}));
    const [sooner, later] = [-1, 1].map((seconds) => encodeURIComponent(ahead(service, { seconds })));
    const of = `subject=${id}`;
    expect(await listed(`${of}&from=${at}`)).toEqual(["account.create"]);
    expect(await listed(`${of}&from=${later}`)).toEqual([]);
    expect(await listed(`${of}&to=${at}`)).toEqual([]);
    expect(await listed(`${of}&from=${sooner}&to=${later}`)).toEqual(["account.create"]);
    for (const name of ["from", "to"])
      expectError(await service.operator("GET", `/audit?${name}=yesterday`), 400, new RegExp(`^${name}`));
  });
});
