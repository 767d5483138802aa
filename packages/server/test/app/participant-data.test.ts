import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { freePort } from "@curtail/testing/free-port";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { verifySignature } from "../../src/notification/worker/signature.js";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { type Participant, type Running, running } from "../support/running.js";
import { participantUser } from "./participant-run.js";

let service: Running;
let participant: Participant;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await running();
  participant = await service.newParticipant({ sites: [["main", "roof"]] });
  environment = { CURTAIL_URL: service.url, CURTAIL_API_KEY: participant.key };
});

const user = () => {
  const { home, run } = participantUser();
  const fileWith = (name: string, text: string): string => {
    const file = join(home, name);
    writeFileSync(file, text);
    return file;
  };
  return { run, fileWith, home };
};

const [day, nextDay] = ["2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"];

describe("upload", () => {
  test("a file of half hours becomes readings of five minutes, which are read back and can be uploaded again", async () => {
    const { run, fileWith } = user();
    const csv = "timestamp,main (kW),roof (kW)\n2026-06-01T00:30:00Z,10,-2\n2026-06-01T01:00:00Z,20,-3\n";
    const file = fileWith("readings.csv", csv);
    const sent = await run(["upload", file, "--json"], { environment });
    expect(sent).toMatchObject({ exitCode: 0, json: { stored: 24, set_aside: [] } });
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
    expect(again.json).toEqual({ stored: 24, set_aside: [] });
    const asCsv = await run([...get, "--csv"], { environment });
    const fromCsv = await run(["upload", "-", "--json"], { environment, stdin: asCsv.stdout });
    expect(fromCsv.json).toEqual({ stored: 24, set_aside: [] });
  });

  test("refused readings are set aside with the reason, the others stored", async () => {
    const { run, home } = user();
    const [meter_id] = participant.sites[0]?.meters ?? [];
    const reading = { meter_id, timestamp: "2026-06-03T00:00:00Z", kW: 5 };
    const lines = [60, 45].map((interval_seconds) => JSON.stringify({ ...reading, interval_seconds }));
    const aside = join(home, "aside.ndjson");
    const ran = await run(["upload", "-", "--set-aside", aside], { environment, stdin: lines.join("\n") });
    expect(ran).toMatchObject({ exitCode: 1, stdout: "1 readings stored, 1 set aside.\n" });
    expect(ran.stderr).toContain("reading 2: interval_seconds is 45; it must be divisible by 30");
    expect(JSON.parse(readFileSync(aside, "utf8"))).toMatchObject({ interval_seconds: 45, meter_id });
  });

  test("an upload that broke off is resumed where it stopped", async () => {
    const { run, fileWith } = user();
    const file = fileWith("main.csv", "timestamp,main (kW)\n2026-06-04T00:05:00Z,1\n2026-06-04T00:10:00Z,2\n");
    const away = { CURTAIL_URL: `http://127.0.0.1:${await freePort()}`, CURTAIL_API_KEY: participant.key };
    expect((await run(["upload", file], { environment: away })).exitCode).toBe(4);
    const { size, mtime } = statSync(file);
    const entry = { url: service.url, account: "\n", shift: null, bytes: size, modified_at: mtime.toISOString() };
    writeFileSync(`${file}.upload.json`, JSON.stringify({ replays: [{ ...entry, line: 1, shift_ms: 0 }] }));
    const { stderr, stdout } = await run(["upload", file], { environment });
    expect(stderr).toContain("resuming after 1 readings");
    expect(stdout).toBe("1 readings stored, 0 set aside.\n");
  });

  test.for([
    ["line 2 is no JSON", '{"a":1}\nno\n', "line 2: not a JSON object; nothing was sent"],
    ["a CSV file with a fault", "timestamp,main (kW)\n2026-06-04T00:05:00Z,x\n", "line 2: "],
    [
      "an unknown series",
      "timestamp,cellar (kW)\n2026-06-04T00:05:00Z,1\n2026-06-04T00:10:00Z,1\n",
      'clearly meant by "cellar"',
    ],
  ] as const)("nothing is sent of a file with %s", async ([, stdin, message]) => {
    const { exitCode, stderr } = await user().run(["upload", "-"], { environment, stdin });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});

describe("schedule and webhooks", () => {
  test("a site is blocked for a period, and a refusal has its own exit code", async () => {
    const { run } = user();
    const site = participant.sites[0]?.id ?? "";
    const set = ["schedule", "set", site, "--start", "2030-07-02T00:00:00Z", "--for", "1d"];
    const { json } = await run([...set, "--json"], { environment });
    expect(json).toMatchObject({ site_id: site, available: false, end_time: "2030-07-03T00:00:00Z" });
    expect(await run([...set, "--end", "2030-07-03T00:00:00Z"], { environment })).toMatchObject({ exitCode: 2 });
    const past = ["schedule", "set", site, "--start", "2020-07-02T00:00:00Z", "--for", "1d"];
    expect(await run(past, { environment })).toMatchObject({ exitCode: 3 });
  });

  test("webhooks are added after a test request, listed and removed", async () => {
    const { run } = user();
    const hook = await receiver();
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
    const { run } = user();
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

  test("--since forwards what was created before the first start", async () => {
    const own = await service.newParticipant();
    const { id } = await newDispatch(service, await newProgram(service, [own], { name: "Since" }));
    const hook = await receiver();
    const { exitCode, stdout } = await user().run(["listen", "--forward-to", hook.url, "--since", "30d", "--json"], {
      environment: { CURTAIL_URL: service.url, CURTAIL_API_KEY: own.key },
      now: () => service.clock.now(),
      onOutput: (_, interrupt) => interrupt(),
    });
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 0, dispatchId: id, status: 200 });
  });
});

const sandbox = async () => {
  const call = await service.made(operator.createKey, {
    params: { id: participant.accountId },
    body: { environment: "sandbox" },
  });
  const path = new URL(call.claim_url).pathname;
  const { api_key } = (await (await fetch(service.url + path, { method: "POST" })).json()) as { api_key: string };
  return { CURTAIL_URL: service.sandboxUrl, CURTAIL_API_KEY: api_key };
};

const now = () => service.clock.now();

describe("trigger", () => {
  test("runs a scenario, says what is decided as it is, and fails for a system that does nothing", async () => {
    const keys = await sandbox();
    const first = await user().run(["trigger", "basic", "--no-wait", "--json"], { environment: keys, now });
    expect(first).toMatchObject({ exitCode: 0, json: { scenario_type: "basic" } });
    const ran = user().run(["trigger", "basic", "--speed", "600"], {
      environment: keys,
      now,
    });
    const moving = setInterval(() => service.clock.advance({ seconds: 2 }), 50);
    const { exitCode, stdout, stderr } = await ran.finally(() => clearInterval(moving));
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^(failed|not seen) +notified /m);
    expect(stderr).toMatch(/curtail: \d of \d criteria did not pass\n$/);
  });

  test("is refused where there is no sandbox", async () => {
    const { exitCode, stderr } = await user().run(["trigger", "basic"], { environment });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("is not a sandbox");
  });
});
