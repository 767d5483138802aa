import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { made, newAccount, newSite, peak, prepare, run, said, service } from "../support/admin-commands.js";
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
