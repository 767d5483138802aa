import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeSchedule, createWebhook, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { strangers } from "@curtail/testing/watch-replies";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { made, newAccount, newSite, peak, prepare, run, said, service } from "../support/admin-commands.js";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { OPERATOR_TOKEN } from "../support/running.js";
import type { RunOptions } from "./admin-run.js";

const folder = mkdtempSync(join(tmpdir(), "curtail-admin-"));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(prepare);

const at = (hours: number) => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();

describe("each noun", () => {
  test("accounts are created, changed, shown and listed", async () => {
    const id = await newAccount("South");
    expect(await made("accounts", "change", id, "--disabled")).toMatchObject({ name: "South", disabled: true });
    expect(await made("accounts", "change", id, "--no-disabled", "--name", "Sud")).toMatchObject({ disabled: false });
    expect(await said("accounts", "show", id)).toMatch(/^id: +acc_\w+\nname: +Sud\ndisabled: +no\n/);
    expect((await made("accounts", "list")).items).toContainEqual(expect.objectContaining({ id, name: "Sud" }));
  });

  test("contacts are added, listed and removed", async () => {
    const account = await newAccount();
    const { id } = await made(
      "contacts",
      "add",
      account,
      "--name",
      "Ann",
      "--email",
      "ann@example.org",
      "--phone",
      "+1 555",
    );
    expect((await made("contacts", "list", account)).items).toMatchObject([{ phone: "+1 555" }]);
    expect(await said("contacts", "remove", id)).toBe(`${id} removed\n`);
    expect((await made("contacts", "list", account)).items).toEqual([]);
  });

  test("keys are issued by link, listed and revoked", async () => {
    const account = await newAccount();
    const key = await made("keys", "create", account, "--environment", "production", "--expires-at", "+2h");
    expect(key.claim_url).toContain("/claim/");
    expect(Date.parse(key.expires_at) - service.clock.now().getTime()).toBe(2 * 3_600_000);
    expect(await said("keys", "revoke", key.id)).toBe(`${key.id} revoked\n`);
    expect((await made("keys", "list", account)).items[0]).toMatchObject({ id: key.id, state: "revoked" });
  });

  test("sites are created with meters, changed, shown and listed", async () => {
    const account = await newAccount();
    const site = await newSite(account, "main", "roof=generator");
    expect(site.meters).toMatchObject([{ asset_type: "load" }, { name: "roof", asset_type: "generator" }]);
    await made(
      "sites",
      "change",
      site.id,
      "--dispatch-group",
      "A",
      "--display-enabled",
      "--customer-location-id",
      "4711",
    );
    expect(await said("sites", "list", account)).toMatch(/4711 +A +UTC +yes +2\n$/);
    expect(await said("sites", "show", site.id)).toMatch(
      /\nmeters:\nid +name +asset_type +kwh_means +last_reading +last_charge\nmtr_\w+ +main +load +energy +- +-\n/,
    );
  });

  test("sites are imported from a file, after a trial", async () => {
    const file = join(folder, "import.csv");
    const header = "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type";
    writeFileSync(file, `${header}\nImported,Mill,,,,main,load\n`);
    expect(await said("sites", "import", "--csv", file, "--dry-run")).toMatch(
      /^create: +accounts 1, sites 1, meters 1/m,
    );
    expect(await made("sites", "import", "--csv", file)).toMatchObject({ dry_run: false, create: { accounts: 1 } });
    expect(await made("sites", "import", "--csv", file)).toMatchObject({ unchanged: { accounts: 1 } });
  });

  test("meters are added and changed", async () => {
    const site = await newSite(await newAccount());
    const meter = await made("meters", "add", site.id, "--name", "battery", "--asset-type", "battery");
    expect(await made("meters", "change", meter.id, "--name", "store")).toMatchObject({ name: "store" });
  });

  test("programs are created, changed, shown and listed, with OpenADR settings", async () => {
    const { id } = await made("programs", "create", ...peak, "--openadr-level", "2", "--openadr-ramp-up-seconds", "60");
    expect(await made("programs", "show", id)).toMatchObject({ openadr: { level: 2, ramp_up_seconds: 60 } });
    expect(await made("programs", "change", id, "--no-openadr")).toMatchObject({ openadr: null });
    expect(await said("programs", "list")).toContain("America/Chicago");
  });

  test("programs take measurement settings, by a preset's name or a method as JSON", async () => {
    const holidays = ["--holiday", "2026-07-03", "--holiday", "2026-12-25"];
    const { id } = await made("programs", "create", ...peak, "--baseline", "ten_of_ten", ...holidays);
    expect(await made("programs", "show", id)).toMatchObject({
      baseline: { preset: "ten_of_ten" },
      holidays: ["2026-07-03", "2026-12-25"],
    });
    const baseline = { method: { kind: "flat", kw: 100 } };
    const change = ["change", id, "--baseline", JSON.stringify(baseline)];
    expect(await made("programs", ...change)).toMatchObject({ baseline });
    expect(await made("programs", "change", id, "--baseline", "none")).toMatchObject({ baseline: null });
  });

  test("sites are enrolled in a program, listed and withdrawn", async () => {
    const site = await newSite(await newAccount());
    const program = await made("programs", "create", ...peak);
    await made("programs", "enrol", program.id, site.id, "--commitment", "none");
    await made("programs", "enrol", program.id, site.id, "--commitment", "50");
    expect((await made("programs", "sites", program.id)).items).toMatchObject([{ site_id: site.id, commitment: 50 }]);
    expect(await said("programs", "withdraw", program.id, site.id)).toBe(`${program.id} ${site.id} withdrawn\n`);
  });

  test("availability blocks are listed and removed", async () => {
    const { sites, call } = await service.newParticipant();
    const siteId = sites[0]?.id ?? "";
    await call(changeSchedule, {
      params: { site_id: siteId },
      body: { available: false, start_time: at(1), end_time: at(2) },
    });
    const { items } = await made("schedule", "list", siteId);
    expect(await said("schedule", "remove", items[0].id)).toBe(`${items[0].id} removed\n`);
    expect((await made("schedule", "list", siteId)).items).toEqual([]);
  });

  test("webhooks are listed without their secrets, and given a new one; what they were sent is listed", async () => {
    const [participant, hook] = [await service.newParticipant(), await receiver()];
    const { accountId, call } = participant;
    const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
    const { id } = (await call(createWebhook, { body: { url: hook.url, events } })).body;
    expect(await said("webhooks", "list", accountId)).toContain(`${hook.url}  dispatch.create dispatch.update  `);
    expect(await said("webhooks", "list", accountId)).not.toContain("whsec_");
    expect(await said("webhooks", "rotate-secret", id)).toMatch(/^secrets: +whsec_\S+ whsec_\S+$/m);
    expect(await made("webhooks", "test", id)).toMatchObject({ ok: true, status: 200 });
    expect((await made("webhooks", "deliveries", id)).items).toEqual([]);
    expect(await said("deliveries", "resend", "--help")).toContain("<delivery-id>");
    await newDispatch(service, await newProgram(service, [participant]));
    const deliveries = async () => (await made("webhooks", "deliveries", id)).items;
    await expect.poll(async () => (await deliveries())[0]?.attempts.length).toBe(1);
    const resent = await said("deliveries", "resend", (await deliveries())[0].id);
    expect(resent).toMatch(/\nattempts:\nat +status +duration_ms +address +error\n\S+ +200 +\d+ +127\.0\.0\.1 +-\n$/);
  });

  test("the audit log shows what was done, page by page or whole", async () => {
    await newAccount();
    await newAccount();
    const page = await run(["audit", "list", "--limit", "1"]);
    expect(page.stdout).toMatch(
      /^at +actor +action +subject +account_id\n\S+ +operator +account.create +acc_\w+ +acc_\w+\n$/,
    );
    const cursor = /^more results: --cursor (\S+), or --all\n$/.exec(page.stderr)?.[1] ?? "";
    expect((await made("audit", "list", "--limit", "1", "--cursor", cursor)).items).toHaveLength(1);
    const all = await made("audit", "list", "--all", "--limit", "3");
    expect(all.items.length).toBeGreaterThan(3);
    expect(all.next_cursor).toBeNull();
  });
});

const secondsFromNow = (time: string): number => Math.round((Date.parse(time) - service.clock.now().getTime()) / 1000);

describe("a dispatch", () => {
  let program: string;
  let sites: string[];
  beforeAll(async () => {
    const account = await newAccount();
    sites = [(await newSite(account)).id, (await newSite(account)).id];
    program = (await made("programs", "create", ...peak)).id;
    for (const site of sites) await made("programs", "enrol", program, site, "--commitment", "50");
  });

  test("is created, moved, ended, and shown with its history", async () => {
    const { id, start_time, end_time } = await made("dispatches", "create", "--program", program, "--start", "+10m");
    expect({ end_time, inSeconds: secondsFromNow(start_time) }).toEqual({ end_time: null, inSeconds: 600 });
    await made("dispatches", "change", id, "--start", "-5m", "--end", "+2h");
    const ended = await made("dispatches", "end", id);
    expect(secondsFromNow(ended.end_time)).toBe(0);
    expect((await made("dispatches", "show", id)).revisions).toHaveLength(3);
    expect(await said("dispatches", "show", id)).toMatch(/\nprogram: +Peak \(prg_\w+\)\n/);
    expect(await said("dispatches", "list")).toContain(id);
    // Mails that cannot be sent appear beside the notifications as soon as they are given up.
    const { items } = await made("dispatches", "evidence", id, "--site-id", `${sites[0]}`);
    expect(items.filter(({ channel }: { channel: string }) => channel === "rest")).toHaveLength(3);
    expect(await said("dispatches", "evidence", id)).toMatch(/ rest +notified +modification_number 2$/m);
  });

  test("takes a length, a test mark, and sites with their own commitments", async () => {
    const start = "2026-07-01T18:00:00+02:00";
    const named = ["--site", `${sites[0]}=12.5`, "--site", `${sites[1]}`];
    const dispatch = await made(
      "dispatches",
      "create",
      "--program",
      program,
      "--start",
      start,
      "--for",
      "1h30m",
      "--test",
      "--confirm-past",
      ...named,
    );
    expect(dispatch).toMatchObject({
      test: true,
      start_time: "2026-07-01T16:00:00Z",
      end_time: "2026-07-01T17:30:00Z",
    });
    expect(dispatch.sites.map((site: { commitment: number }) => site.commitment)).toEqual([12.5, 50]);
  });

  test("is cancelled for good", async () => {
    const { id } = await made("dispatches", "create", "--program", program, "--start", "+10m", "--end", "+1h");
    expect(await made("dispatches", "cancel", id)).toMatchObject({ authorized: false });
    const again = await run(["dispatches", "end", id, "--at", "+20m"]);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toMatch(/^curtail: .*cancelled/);
  });

  test("is voided once it is over, for a reason", async () => {
    const past = ["--program", program, "--start", "-2h", "--end", "-1h"];
    expect((await run(["dispatches", "create", ...past])).stderr).toMatch(/confirm_past: true/);
    const { id } = await made("dispatches", "create", ...past, "--confirm-past");
    expect((await run(["dispatches", "cancel", id])).stderr).toMatch(/void_reason/);
    expect(await made("dispatches", "void", id, "--reason", "A mistake")).toMatchObject({
      authorized: false,
      void_reason: "A mistake",
    });
  });
});

describe("what goes wrong", () => {
  test("the service's own message goes to standard error, with exit code 1", async () => {
    const answer = await run(["accounts", "show", "acc_nobody"]);
    expect(answer).toMatchObject({ exitCode: 1, stdout: "" });
    expect(answer.stderr).toMatch(/^curtail: No such account/);
  });

  test("a bad token is refused and never printed", async () => {
    const { exitCode, stdout, stderr } = await run(["accounts", "list", "--token", "wrong-token-of-the-tests"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Permission denied");
    expect(stdout + stderr).not.toContain("wrong-token");
  });

  test("without a token it says where one may come from", async () => {
    const answer = await run(["accounts", "list"], { environment: { CURTAIL_PUBLIC_URL: service.url } });
    expect(answer.exitCode).toBe(2);
    expect(answer.stderr).toContain("CURTAIL_OPERATOR_TOKEN");
  });

  test("a token may lie in a file", async () => {
    const file = join(folder, "token");
    writeFileSync(file, `${OPERATOR_TOKEN}\n`);
    const answer = await run(["accounts", "list", "--url", `${service.url}/`, "--token-file", file], {
      environment: {},
    });
    expect(answer.exitCode).toBe(0);
  });

  test("says what to do if nobody is listening", async () => {
    const answer = await run(["accounts", "list", "--url", "http://127.0.0.1:2"]);
    expect(answer.exitCode).toBe(1);
    expect(answer.stderr).toMatch(/no service answers at http:\/\/127.0.0.1:2 \(ECONNREFUSED\).*--url/);
  });

  test("a redirect is not followed, because the token is meant for one address", async () => {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    strangers.add(other);
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const answer = await run(["accounts", "list", "--url", `http://127.0.0.1:${port}`]);
    await new Promise((resolve) => other.close(resolve));
    expect(answer.stderr).toContain("redirects to /elsewhere");
    expect(asked).toEqual(["/operator/v1/accounts"]);
  });

  test.each([
    { args: ["accounts", "frobnicate"], says: "unknown command" },
    { args: ["accounts", "create"], says: "--name" },
    { args: ["accounts", "change", "acc_1"], says: "nothing to change; set at least one of --name" },
    { args: ["dispatches", "create", "--program", "p", "--start", "soon"], says: "+10m" },
    { args: ["keys", "create", "acc_1", "--environment", "test"], says: "production, sandbox" },
    { args: ["programs", "enrol", "p", "s", "--commitment", "much"], says: "must be a number" },
    { args: ["accounts", "list", "--url", "localhost:8080"], says: "http://" },
  ])("$args is wrong usage, exit code 2", async ({ args, says }) => {
    const answer = await run(args);
    expect(answer).toMatchObject({ exitCode: 2, stdout: "" });
    expect(answer.stderr).toContain(says);
  });

  test("an invalid setting is reported by name", async () => {
    const answer = await run(["accounts", "list"], { environment: { CURTAIL_PUBLIC_URL: "curtail.example" } });
    expect(answer.exitCode).toBe(2);
    expect(answer.stderr).toContain("CURTAIL_PUBLIC_URL must be an address");
  });
});

describe("vens", () => {
  test("are created, changed, listed, shown and deleted, in the singular too", async () => {
    const account = await newAccount();
    const [one, two] = [await newSite(account), await newSite(account)];
    const sites = `${one.id},${two.id}`;
    const ven = await made("ven", "create", account, "--ven-id", "admin-1", "--sites", sites, "--no-targets-ven-id");
    expect(ven).toMatchObject({ sites: [one.id, two.id], targets: { resource: "site_id", ven_id: false } });
    const push = ["--transport-push-url", "https://ven.example.com/", "--poll-interval-seconds", "10"];
    expect(await made("vens", "change", ven.id, "--sites", "all", "--targets-ven-id", ...push)).toMatchObject({
      sites: "all",
      transport: { push_url: "https://ven.example.com/", ca_certificate: null },
      targets: { ven_id: true },
      poll_interval_seconds: 10,
    });
    expect(await made("vens", "change", ven.id, "--transport", "pull")).toMatchObject({ transport: "pull" });
    expect((await made("vens", "list", account)).items).toMatchObject([{ id: ven.id }]);
    expect(await said("vens", "show", ven.id)).toMatch(/^ven_id: +admin-1$/m);
    expect((await made("vens", "events", ven.id)).items).toEqual([]);
    expect(await said("vens", "delete", ven.id)).toBe(`${ven.id} deleted\n`);
  });
});

const isColored = async (options: RunOptions): Promise<boolean> =>
  (await run(["accounts", "list"], options)).stdout.includes("\u001b[");

describe("the human form", () => {
  test("is coloured for a terminal only, and not where NO_COLOR asks", async () => {
    const environment = { CURTAIL_PUBLIC_URL: service.url, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN };
    expect(await isColored({ isTTY: true })).toBe(true);
    expect(await isColored({ isTTY: false })).toBe(false);
    expect(await isColored({ isTTY: true, environment: { ...environment, NO_COLOR: "1" } })).toBe(false);
  });

  test("keeps names from steering the terminal", async () => {
    // A name from before such characters were refused.
    const id = await newAccount();
    await service.database.pool.query("update accounts set name = $2 where id = $1", [id, "a\u009b31mb"]);
    expect(await said("accounts", "show", id)).toContain("a\u{fffd}31mb");
  });

  test("of an empty list is its heading, with a remark on standard error", async () => {
    const answer = await run(["sites", "list", await newAccount()]);
    expect(answer.stdout).toMatch(/^id +name .*\n$/);
    expect(answer.stderr).toBe("none\n");
  });

  test("has no part in --json, which prints what the service answered", async () => {
    const id = await newAccount();
    const { text } = await service.operator(operator.getAccount, { params: { id } });
    expect((await run(["accounts", "show", id, "--json"])).stdout).toBe(`${text}\n`);
  });
});
