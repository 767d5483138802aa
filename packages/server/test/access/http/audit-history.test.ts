import { beforeAll, describe, expect, test } from "vitest";
import { requireReadable } from "../../../src/access/http/wire-audit-state.js";
import { auditStore } from "../../../src/access/storage/audit-store.js";
import { type Running, running } from "../../support/running.js";

// The log is append only: entries stay as their version wrote them, and are mapped when read.
let service: Running;

beforeAll(async () => {
  service = await running();
});

interface Stored {
  readonly action: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

let count = 0;

/** The answer for a stored entry; `service.operator` checks it against the contract. */
const answered = async ({ action, before = null, after = null }: Stored) => {
  const subject = `stored_${++count}`;
  const sql = `insert into audit_log (at, actor, action, subject, account_id, before, after)
    values ($1, 'operator', $2, $3, 'acc_1', $4, $5)`;
  const json = [before, after].map((state) => (state === null ? null : JSON.stringify(state)));
  await service.database.pool.query(sql, [service.clock.now(), action, subject, ...json]);
  return (await service.operator("GET", `/audit?subject=${subject}`)).body.items[0];
};

/** Of the entry's after and, if stored, of its before. */
const state = async (stored: Stored) => {
  const { before, after } = await answered(stored);
  return stored.after === undefined ? before : after;
};

const at = "2026-11-20T15:07:19.123Z";
const next = "2026-11-21T15:07:19.000Z";
const nextAnswered = "2026-11-21T15:07:19Z";

// As they were written, member by member.
const account = { id: "acc_1", name: "Mills", createdAt: at, disabled: false };
const contact = {
  id: "con_1",
  name: "Dana",
  email: "dana@example.com",
  phone: "+1 555 010 0200",
  accountId: "acc_1",
  createdAt: at,
};
const key = {
  id: "key_1",
  accountId: "acc_1",
  claimedAt: null,
  createdAt: at,
  expiresAt: next,
  revokedAt: null,
  lastUsedAt: null,
  environment: "production",
  claimExpiresAt: next,
};
const meter = { id: "mtr_1", name: "main", assetType: "load" };
const site = {
  id: "site_1",
  name: "Elm Street",
  meters: [meter],
  timezone: "UTC",
  accountId: "acc_1",
  createdAt: at,
  dispatchGroup: "north",
  displayedSince: next,
  customerLocationId: "0815",
};
const program = {
  id: "prg_1",
  name: "Peak",
  market: "ERCOT",
  openadr: { level: 1, ramp_up_seconds: 60 },
  baseline: { preset: "high_4_of_5", anchor: "start" },
  holidays: ["2026-12-25"],
  timezone: "America/Chicago",
  createdAt: at,
  programType: "capacity",
  statusLimits: { amberFrom: 0.5, greenFrom: 0.9, greenTo: 1.2, staleSeconds: 90, leastCoverage: 0.8 },
  scheduleCutoffSeconds: 3600,
};
const enrolment = { siteId: "site_1", baseline: { method: { window_days: 5 } }, programId: "prg_1", commitmentKw: 50 };
const dispatchTimes = { end: null, start: next, authorized: true, modificationNumber: 0 };
const dispatch = {
  ...dispatchTimes,
  id: "dis_1",
  test: false,
  program: { id: "prg_1", name: "Peak", market: "ERCOT", timezone: "America/Chicago", programType: "capacity" },
  changedAt: at,
  createdAt: at,
  notification: at,
};
const block = { id: "blk_1", end: next, start: at, siteId: "site_1", createdAt: at };
const alarm = {
  id: "alm_1",
  kind: "last_webhook_deleted",
  message: "Account Mills (acc_1) deleted its last webhook.",
  subject: "acc_1",
  raisedAt: at,
  accountId: "acc_1",
  clearedAt: null,
  acknowledgedAt: next,
};
const delivery = { event: "dispatch.create", state: "failed", webhookId: "wh_1", dispatchId: "dis_1" };
const webhook = { id: "wh_1", url: "https://example.com/hooks", events: ["dispatch.create"] };
const user = {
  id: "usr_1",
  name: "Pat",
  role: "participant-admin",
  email: "pat@example.com",
  hasTotp: false,
  disabled: false,
  accountId: "acc_1",
  createdAt: at,
  hasPassword: true,
};
const ven = {
  id: "ven_1",
  push: { ca: null, url: "https://ven.example.com/" },
  venId: "store-12",
  siteIds: ["site_1"],
  accountId: "acc_1",
  createdAt: at,
  environment: "production",
  targetVenId: false,
  marketContext: "*",
  targetResource: "site_id",
  pollIntervalSeconds: 60,
};

describe("an entry that is stored", () => {
  test.each([
    ["account.create", account, { id: "acc_1", name: "Mills", disabled: false, created_at: at }],
    [
      "contact.create",
      contact,
      {
        id: "con_1",
        account_id: "acc_1",
        name: "Dana",
        email: "dana@example.com",
        phone: "+1 555 010 0200",
        created_at: at,
      },
    ],
    [
      "key.create",
      key,
      {
        id: "key_1",
        account_id: "acc_1",
        environment: "production",
        created_at: at,
        claim_expires_at: nextAnswered,
        claimed_at: null,
        expires_at: nextAnswered,
        revoked_at: null,
        last_used_at: null,
      },
    ],
    [
      "site.create",
      site,
      {
        id: "site_1",
        account_id: "acc_1",
        name: "Elm Street",
        customer_location_id: "0815",
        dispatch_group: "north",
        timezone: "UTC",
        created_at: at,
        display_enabled_at: nextAnswered,
        meters: [{ id: "mtr_1", name: "main", asset_type: "load" }],
      },
    ],
    [
      "meter.create",
      { ...meter, siteId: "site_1" },
      { id: "mtr_1", name: "main", asset_type: "load", site_id: "site_1" },
    ],
    [
      "meter.change",
      { ...meter, accountId: "acc_1" },
      { id: "mtr_1", name: "main", asset_type: "load", account_id: "acc_1" },
    ],
    [
      "program.create",
      program,
      {
        id: "prg_1",
        name: "Peak",
        timezone: "America/Chicago",
        market: "ERCOT",
        program_type: "capacity",
        schedule_cutoff_seconds: 3600,
        openadr: { level: 1, ramp_up_seconds: 60 },
        baseline: { preset: "high_4_of_5", anchor: "start" },
        holidays: ["2026-12-25"],
        status_limits: { amber_from: 0.5, green_from: 0.9, green_to: 1.2, stale_seconds: 90, least_coverage: 0.8 },
        created_at: at,
      },
    ],
    [
      "program.enrol",
      enrolment,
      { program_id: "prg_1", site_id: "site_1", commitment: 50, baseline: { method: { window_days: 5 } } },
    ],
    [
      "dispatch.create",
      { ...dispatch, siteCount: 2, commitmentKw: 100 },
      {
        id: "dis_1",
        program: { id: "prg_1", name: "Peak", timezone: "America/Chicago", market: "ERCOT", program_type: "capacity" },
        test: false,
        authorized: true,
        start_time: nextAnswered,
        end_time: null,
        notification_time: at,
        modification_number: 0,
        created_at: at,
        site_count: 2,
        commitment_kw: 100,
      },
    ],
    [
      "dispatch.cancel",
      { ...dispatchTimes, authorized: false, modificationNumber: 1 },
      { start_time: nextAnswered, end_time: null, authorized: false, modification_number: 1 },
    ],
    [
      "schedule.create",
      block,
      { id: "blk_1", site_id: "site_1", start_time: at, end_time: nextAnswered, created_at: at },
    ],
    [
      "alarm.acknowledge",
      alarm,
      {
        id: "alm_1",
        kind: "last_webhook_deleted",
        subject: "acc_1",
        account_id: "acc_1",
        message: alarm.message,
        raised_at: at,
        acknowledged_at: nextAnswered,
        cleared_at: null,
      },
    ],
    [
      "delivery.resend",
      { ...delivery, resendAt: at },
      { webhook_id: "wh_1", dispatch_id: "dis_1", event: "dispatch.create", state: "failed", resend_at: at },
    ],
    [
      "webhook.rotate_secret",
      { ...webhook, previousSecretUntil: next },
      {
        id: "wh_1",
        url: "https://example.com/hooks",
        events: ["dispatch.create"],
        previous_secret_until: nextAnswered,
      },
    ],
    [
      "user.create",
      user,
      {
        id: "usr_1",
        email: "pat@example.com",
        name: "Pat",
        role: "participant-admin",
        account_id: "acc_1",
        has_password: true,
        has_totp: false,
        disabled: false,
        created_at: at,
      },
    ],
    [
      "ven.create",
      ven,
      {
        id: "ven_1",
        account_id: "acc_1",
        ven_id: "store-12",
        environment: "production",
        sites: ["site_1"],
        transport: { push_url: "https://ven.example.com/", ca_certificate: null },
        targets: { resource: "site_id", ven_id: false },
        market_context: "*",
        poll_interval_seconds: 60,
        created_at: at,
      },
    ],
    ["ven.offer_certificate", { days: 365, expiresAt: next }, { days: 365, link_expires_at: nextAnswered }],
    ["ven.certify", { expiresAt: next, fingerprint: "5bb8" }, { fingerprint: "5bb8", expires_at: nextAnswered }],
    [
      "ven.revoke",
      { expiresAt: next, revokedAt: at, fingerprint: "5bb8" },
      { fingerprint: "5bb8", expires_at: nextAnswered, revoked_at: at },
    ],
  ])("of %s is answered in the words of the contract", async (action, after, expected) =>
    expect(await state({ action, after })).toEqual(expected),
  );

  test.each([
    ["account.change", account],
    ["contact.delete", contact],
    ["key.revoke", key],
    ["site.change", site],
    ["program.change", program],
    ["program.withdraw", enrolment],
    ["dispatch.change", dispatchTimes],
    ["schedule.delete", block],
    ["webhook.create", webhook],
    ["webhook.delete", webhook],
    ["user.change", user],
    ["user.delete", user],
    ["ven.change", ven],
    ["ven.delete", ven],
  ])("of %s has its state before, too", async (action, before) =>
    expect(await state({ action, before })).not.toBeNull(),
  );

  test.each([
    "calendar.create",
    "calendar.delete",
    "key.claim",
    "schedule.refused",
    "session.create",
    "session.create_by_recovery_code",
    "session.revoke",
    "user.invite",
    "user.sign_out",
    "user.set_password",
    "user.change_password",
    "user.confirm_totp",
    "user.remove_totp",
    "user.renew_recovery_codes",
    "user.bind_oidc",
  ])("of %s has no states", async (action) =>
    expect(await answered({ action })).toMatchObject({ action, before: null, after: null }),
  );
});

const without = (stored: object, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => !names.includes(name)));

describe("an entry of an earlier version", () => {
  test.each([
    ["contact.create", without(contact, "phone"), "phone"],
    ["site.create", without(site, "displayedSince"), "display_enabled_at"],
    ["program.create", without(program, "baseline", "holidays", "statusLimits"), "holidays"],
    ["program.enrol", without(enrolment, "baseline"), "baseline"],
  ])("has in %s no member that was not stored then", async (action, after, name) => {
    const answer = await state({ action, after });
    expect(answer).not.toBeNull();
    expect(answer).not.toHaveProperty(name);
  });

  test("has the sites of a dispatch, whose number was not stored then", async () => {
    const sites = [{ id: "site_1", commitmentKw: 50 }];
    const after = await state({ action: "dispatch.create", after: { ...dispatch, sites } });
    expect(after.sites).toEqual([{ id: "site_1", commitment: 50 }]);
    expect(after).not.toHaveProperty("site_count");
  });

  test("of a VEN that only polls, for all sites, says so", async () => {
    const after = await state({ action: "ven.create", after: { ...ven, push: null, siteIds: null } });
    expect(after).toMatchObject({ sites: "all", transport: "pull" });
  });
});

describe("an entry of a later version beside this one", () => {
  test.each(["site.relocate", "constructor", ""])(
    "with an action unknown here (%j) says what and who, without states",
    async (action) => {
      const entry = await answered({ action, before: { secret: "s" }, after: { place: "elsewhere" } });
      expect(entry).toEqual({
        id: expect.stringMatching(/^aud_\d+$/),
        at: service.clock.now().toISOString().replace(".000Z", "Z"),
        actor: "operator",
        actor_name: null,
        subject: entry?.subject,
        account_id: "acc_1",
        subject_kind: "other",
        action,
      });
    },
  );

  test.each([
    ["account.change", "renamed"],
    ["account.change", { id: "acc_1", label: "Mills" }],
    ["user.change", { ...user, role: "participant-guest" }],
    ["session.create", { id: "ses_1" }],
  ])("whose states cannot be read here (%s, %j) has none, rather than half of them", async (action, after) => {
    const entry = await answered({ action, after });
    expect(entry).toMatchObject({ subject_kind: "other", action });
    expect(Object.keys(entry)).not.toEqual(expect.arrayContaining(["before"]));
  });

  test("with more members has those that the contract has, and so no secret", async () => {
    const after = { ...webhook, secret: "whsec_1", previousSecret: { secret: "whsec_0" } };
    expect(await state({ action: "webhook.create", after })).toEqual(webhook);
  });
});

const subjects = ["acc_whole", "acc_half"];
const append = (subject: string, after: object) =>
  auditStore(service.database.pool, requireReadable).append(
    { actor: "operator", at: service.clock.now() },
    "account.create",
    { id: subject, accountId: null },
    { after: after as never },
  );
const entries = async () => {
  const { rows } = await service.database.pool.query("select subject from audit_log where subject = any($1)", [
    subjects,
  ]);
  return rows.map(({ subject }) => subject);
};

describe("a state that the contract cannot show", () => {
  test("is refused when it is written, with the name of its member, and nothing is stored", async () => {
    const { name: _, ...nameless } = account;
    await expect(append("acc_half", nameless)).rejects.toThrow(/state of account\.create .*: name must have required/);
    await expect(append("acc_half", { ...account, disabled: "no" })).rejects.toThrow(/: disabled must be boolean/);
    expect(await entries()).toEqual([]);
    await append("acc_whole", account);
    expect(await entries()).toEqual(["acc_whole"]);
  });

  test("is named inside an object, too, and refused for kinds without states", () => {
    const program = { id: "prg_1", name: "Peak", market: 7, timezone: "UTC", programType: "energy" };
    expect(() => requireReadable("dispatch.create", { ...dispatch, program })).toThrow(
      /: program\.market must be string/,
    );
    expect(() => requireReadable("dispatch.create", dispatch)).not.toThrow();
    expect(() => requireReadable("session.create", {})).toThrow(/session\.create/);
  });
});
