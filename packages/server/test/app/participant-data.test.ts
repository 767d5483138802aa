import { existsSync } from "node:fs";
import { operator } from "@curtail/contract";
import { freePort } from "@curtail/testing/free-port";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { verifySignature } from "../../src/notification/worker/signature.js";
import { newDispatch, newProgram } from "../support/dispatching.js";
import {
  begun,
  day,
  environment,
  get,
  nextDay,
  now,
  participant,
  prepare,
  sandbox,
  service,
  TWO_READINGS,
} from "../support/participant-data.js";
import { participantUser } from "./participant-run.js";

beforeAll(prepare);

describe("upload", () => {
  test("a file of half hours becomes readings of five minutes, which are read back and can be uploaded again", async () => {
    const { run, fileWith } = participantUser();
    const csv = "timestamp,main (kW),roof (kW)\n2026-06-01T00:30:00Z,10,-2\n2026-06-01T01:00:00Z,20,-3\n";
    const file = fileWith("readings.csv", csv);
    const sent = await run(["upload", file, "--json"], { environment });
    expect(sent).toMatchObject({ exitCode: 0, json: { stored: 24, set_aside_count: 0, set_aside: [] } });
    expect(existsSync(`${file}.upload.json`)).toBe(false);
    const get = ["telemetry", "get", "--start", day, "--end", nextDay, "--interval", "300"];
    const { stdout } = await run([...get, "--json"], { environment });
    const readings = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(readings).toHaveLength(24);
    expect(readings.filter(({ value }) => value === 20)).toHaveLength(6);
    const again = await run(["upload", "-", "--json"], { environment, stdin: stdout });
    expect(again.json).toMatchObject({ stored: 24, set_aside_count: 0 });
    const asCsv = await run([...get, "--csv"], { environment });
    const fromCsv = await run(["upload", "-", "--json"], { environment, stdin: asCsv.stdout });
    expect(fromCsv.json).toMatchObject({ stored: 24, set_aside_count: 0 });
  });

  test("an upload that broke off is resumed where it stopped, but not with the key of another account", async () => {
    const { run, fileWith } = participantUser();
    const file = fileWith("main.csv", TWO_READINGS);
    const away = { CURTAIL_URL: `http://127.0.0.1:${await freePort()}`, CURTAIL_API_KEY: participant.key };
    expect((await run(["upload", file], { environment: away })).exitCode).toBe(4);
    const { through } = await begun(run, file);
    const other = await service.newParticipant({ sites: [["main"]] });
    const ofOther = await run(["upload", file], { environment: { ...through, CURTAIL_API_KEY: other.key } });
    expect(ofOther).toMatchObject({ stderr: "", stdout: "2 readings stored, 0 set aside.\n" });
    const { stderr, stdout } = await run(["upload", file], { environment: through });
    expect(stderr).toContain("resuming after 1 reading;");
    expect(stdout).toBe("2 readings stored, 0 set aside.\n");
  });
});

describe("telemetry get", () => {
  test("prints nothing but the reason for what is refused or wrong", async () => {
    expect(await get("site_unknown")).toMatchObject({ exitCode: 3, stdout: "" });
    const [late, early] = ["2026-07-02T00:00:00Z", "2026-07-01T00:00:00Z"];
    expect(await get("--start", late, "--end", early)).toMatchObject({
      exitCode: 2,
      stderr: "curtail: the period ends before it starts\n",
    });
    expect(await get("--csv", "--json")).toMatchObject({ exitCode: 2 });
  });
});

describe("schedule and webhooks", () => {
  test("a site is blocked for a period, and a refusal has its own exit code", async () => {
    const { run } = participantUser();
    const site = participant.sites[0]?.id ?? "";
    const set = ["schedule", "set", site, "--start", "2030-07-02T00:00:00Z", "--for", "1d"];
    const { json } = await run([...set, "--json"], { environment });
    expect(json).toMatchObject({ site_id: site, available: false, end_time: "2030-07-03T00:00:00Z" });
    expect(await run([...set, "--end", "2030-07-03T00:00:00Z"], { environment })).toMatchObject({ exitCode: 2 });
    const past = ["schedule", "set", site, "--start", "2020-07-02T00:00:00Z", "--for", "1d"];
    expect(await run(past, { environment })).toMatchObject({ exitCode: 3 });
  });

  test("webhooks are added after a test request, listed and removed", async () => {
    const { run } = participantUser();
    const hook = await receiver();
    const none = await run(["webhooks", "list"], { environment });
    expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "no webhooks\n" });
    const { json } = await run(["webhooks", "add", hook.url, "--json"], { environment });
    expect(json.events).toHaveLength(2);
    expect((await run(["webhooks", "list"], { environment })).stdout).toContain(
      `${json.id}  ${hook.url}  dispatch.create dispatch.update`,
    );
    expect(await run(["webhooks", "remove", json.id], { environment })).toMatchObject({ exitCode: 0 });
    expect(await run(["webhooks", "remove", json.id], { environment })).toMatchObject({ exitCode: 3 });
  });
});

describe("listen", () => {
  test("forwards what a webhook would get, retries a failure, and resumes without a repetition", async () => {
    const { run } = participantUser();
    const program = await newProgram(service, [participant]);
    const hook = await receiver();
    const old = await newDispatch(service, program);
    const listen = ["listen", "--forward-to", hook.url, "--every", "1s"];
    let id = "";
    let changed = false;
    const first = await run(listen, {
      environment,
      onStart: async () => void ({ id } = await newDispatch(service, program)),
      onOutput(text, interrupt) {
        if (text.includes("dispatch.update")) interrupt();
        else if (!changed) {
          changed = true;
          void service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
        }
      },
    });
    expect(first.exitCode).toBe(0);
    const secret = /^Secret: (\S+)$/m.exec(first.stderr)?.[1] ?? "";
    const notices = await hook.notices(2);
    expect(notices.map(({ event, resource }) => [event, resource])).toEqual([
      ["dispatch.create", `/2022-04-15/dispatches/${id}`],
      ["dispatch.update", `/2022-04-15/dispatches/${id}`],
    ]);
    for (const { headers, text } of notices)
      expect(verifySignature(headers as never, text, secret, new Date())).toBe(true);
    expect(notices.some(({ resource }) => resource.includes(old.id))).toBe(false);

    const meanwhile = await newDispatch(service, program);
    hook.answer = 500;
    const second = await run(listen, {
      environment,
      onOutput(text, interrupt) {
        hook.answer = 200;
        if (text.includes(": 200")) interrupt();
      },
    });
    expect(second.stderr).toContain(`Secret: ${secret}`);
    expect(second.stdout).toMatch(/#0: 500 in \d+ ms; attempt 2 in 2 s\n.*#0: 200/);
    const later = (await hook.notices(4)).slice(2);
    expect(later.map(({ resource }) => resource)).toEqual(Array(2).fill(`/2022-04-15/dispatches/${meanwhile.id}`));
    expect(new Set(later.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });
});

describe("trigger", () => {
  test("runs a scenario, says what is decided as it is, and fails for a system that does nothing", async () => {
    const keys = await sandbox();
    const first = await participantUser().run(["trigger", "basic", "--no-wait", "--json"], { environment: keys, now });
    expect(first).toMatchObject({ exitCode: 0, json: { scenario_type: "basic" } });
    const ran = participantUser().run(["trigger", "basic", "--speed", "600"], {
      environment: keys,
      now,
    });
    const moving = setInterval(() => service.clock.advance({ seconds: 2 }), 50);
    const { exitCode, stdout, stderr } = await ran.finally(() => clearInterval(moving));
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^(failed|not seen) +notified /m);
    expect(stderr).toMatch(/curtail: \d of \d criteria did not pass\n$/);
  });
});
