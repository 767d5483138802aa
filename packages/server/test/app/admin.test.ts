import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
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
import { OPERATOR_TOKEN } from "../support/running.js";
import type { RunOptions } from "./admin-run.js";

beforeAll(prepare);

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

  test("sites are enrolled in a program, listed and withdrawn", async () => {
    const site = await newSite(await newAccount());
    const program = await made("programs", "create", ...peak);
    await made("programs", "enrol", program.id, site.id, "--commitment", "none");
    await made("programs", "enrol", program.id, site.id, "--commitment", "50");
    expect((await made("programs", "sites", program.id)).items).toMatchObject([{ site_id: site.id, commitment: 50 }]);
    expect(await said("programs", "withdraw", program.id, site.id)).toBe(`${program.id} ${site.id} withdrawn\n`);
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
  beforeAll(prepareDispatched);

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

  test("is cancelled for good", async () => {
    const { id } = await made("dispatches", "create", "--program", program, "--start", "+10m", "--end", "+1h");
    expect(await made("dispatches", "cancel", id)).toMatchObject({ authorized: false });
    const again = await run(["dispatches", "end", id, "--at", "+20m"]);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toMatch(/^curtail: .*cancelled/);
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

  test("says what to do if nobody is listening", async () => {
    const answer = await run(["accounts", "list", "--url", "http://127.0.0.1:2"]);
    expect(answer.exitCode).toBe(1);
    expect(answer.stderr).toMatch(/no service answers at http:\/\/127.0.0.1:2 \(ECONNREFUSED\).*--url/);
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

  test("has no part in --json, which prints what the service answered", async () => {
    const id = await newAccount();
    const { text } = await service.operator(operator.getAccount, { params: { id } });
    expect((await run(["accounts", "show", id, "--json"])).stdout).toBe(`${text}\n`);
  });
});
