import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { changeSchedule, createWebhook } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { strangers } from "@curtail/testing/watch-replies";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  made,
  newAccount,
  newSite,
  peak,
  prepare,
  prepareDispatched,
  program,
  run,
  said,
  service,
  sites,
} from "../support/admin-commands.js";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { OPERATOR_TOKEN } from "../support/running.js";

const folder = mkdtempSync(join(tmpdir(), "curtail-admin-"));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(prepare);

describe("each noun", () => {
  test("meter data is imported from a file, after a trial that lists faults by line", async () => {
    const site = await newSite(await newAccount(), "main");
    const file = join(folder, "meter-data.csv");
    writeFileSync(file, "timestamp,kwh\n2026-01-01T00:15:00Z,1\n2026-01-01T00:30:00Z,x\n2026-01-01T00:45:00Z,3\n");
    const command = ["sites", "import-meter-data", site.id, "--file", file];
    expect(await said(...command, "--dry-run")).toMatch(/^fault_count: +1\n(.*\n)*line +message\n3 +the value "x"/m);
    const refused = await run(command);
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringMatching(/nothing was imported; line 3: /)]);
    writeFileSync(file, "timestamp,kwh\n2026-01-01T00:15:00Z,1\n2026-01-01T00:30:00Z,2\n");
    const chosen = ["--series", `kwh=${site.meters[0].id}`, "--estimated", "leave_out"];
    expect(await made(...command, ...chosen)).toMatchObject({ dry_run: false, intervals: 2 });
    const missing = await run(["sites", "import-meter-data", site.id, "--file", join(folder, "none.xml")]);
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining("It must be a readable file")]);
    expect((await run(["sites", "import-meter-data", site.id])).stderr).toContain("--file");
  });

  test("programs take holidays from a calendar, which is looked up, corrected and confirmed", async () => {
    expect(await said("holiday-calendars", "list")).toContain("United States of America, California");
    const shown = ["holiday-calendars", "show", "US-CA", "--from-year", "2026", "--to-year", "2026"] as const;
    expect(await said(...shown)).toMatch(/^2026-07-03 +Independence Day \(substitute day\)/m);
    const corrected = ["--added-holiday", "2026-07-02", "--removed-holiday", "2026-03-31"];
    const { id } = await made("programs", "create", ...peak, "--holiday-calendar", "US-CA", ...corrected);
    expect(await made("programs", "show", id)).toMatchObject({
      holiday_calendar: "US-CA",
      added_holidays: ["2026-07-02"],
      removed_holidays: ["2026-03-31"],
    });
    const { version, days } = await made("programs", "holidays", id);
    expect(days).toContainEqual({ date: "2026-07-02", name: null, local_name: null, origin: "added" });
    const seen = ["--version", version, "--to-year", String(service.clock.now().getUTCFullYear() + 1)];
    expect((await run(["programs", "confirm-holidays", id, ...seen])).stderr).toContain("nothing to confirm");
    expect(await made("programs", "change", id, "--holiday-calendar", "none")).toMatchObject({
      holiday_calendar: null,
    });
  });
});

describe("vens", () => {
  test("are certified from a file with a request, or by a link, and lose a certificate", async () => {
    const { id } = await made("vens", "create", await newAccount(), "--ven-id", "admin-2");
    const csr = fileURLToPath(new URL("../openadr/vtn/requests/ec-p256.csr", import.meta.url));
    const text = await said("vens", "certify", id, "--csr", csr, "--days", "30");
    expect(text).toMatch(/\ncertificate:\n-----BEGIN CERTIFICATE-----\n[\w+/=\n]+\n-----END CERTIFICATE-----\n/);
    const fingerprint = /^fingerprint: +(\w{64})$/m.exec(text)?.[1] ?? "";
    expect(await said("vens", "revoke", id, fingerprint)).toBe(`${id} ${fingerprint} revoked\n`);
    expect((await made("vens", "certify", id)).claim_url).toContain("/claim/ven/");
    expect(await made("openadr", "ca")).toMatchObject({ vtn_id: "Curtail-VTN" });
    const answer = await run(["vens", "certify", id, "--csr", "no-such-file"]);
    expect(answer).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("must be a readable file") });
  });
});

test("the installed command does the same", async () => {
  const command = fileURLToPath(new URL("../../curtail.mjs", import.meta.url));
  const id = await newAccount("Spawned");
  const child = spawn(process.execPath, [command, "admin", "--json", "accounts", "show", id], {
    env: { PATH: process.env["PATH"], CURTAIL_PUBLIC_URL: service.url, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id, name: "Spawned" });
});

const at = (hours: number) => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();

describe("each noun", () => {
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
});

describe("a dispatch", () => {
  beforeAll(prepareDispatched);

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

describe("the human form", () => {
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
});
