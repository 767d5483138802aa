import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Dispatch, operator } from "@curtail/contract";
import { freePort } from "@curtail/testing/free-port";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { verifySignature } from "../../src/notification/worker/signature.js";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { type Participant, type Running, running } from "../support/running.js";
import { faultyFront } from "./faulty-front.js";
import { participantUser } from "./participant-run.js";

let service: Running;
let participant: Participant;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await running();
  participant = await service.newParticipant({ sites: [["main", "roof"]] });
  environment = { CURTAIL_URL: service.url, CURTAIL_API_KEY: participant.key };
});

const [day, nextDay] = ["2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"];

const TWO_READINGS = "timestamp,main (kW)\n2026-06-04T00:05:00Z,1\n2026-06-04T00:10:00Z,2\n";

/** Begins to upload a file through a front, and leaves what an interruption after the first reading leaves. */
const begun = async (run: ReturnType<typeof participantUser>["run"], file: string, onOther = () => {}) => {
  const front = await faultyFront(service.url);
  const through = { ...environment, CURTAIL_URL: front.url };
  front.onOther = onOther;
  front.faults.push({ status: 401 });
  expect((await run(["upload", file], { environment: through })).exitCode).not.toBe(0);
  front.onOther = () => {};
  const state = `${file}.upload.json`;
  const text = readFileSync(state, "utf8");
  expect(text).not.toContain(participant.key);
  writeFileSync(
    state,
    text.replace(/("url": "[^"]*",[^}]*"line": )0/, (_, before: string) => `${before}1`),
  );
  expect(readFileSync(state, "utf8")).not.toBe(text);
  return { front, through };
};

const minuteAt = (minutes: number): string => new Date(Date.parse("2026-03-01") + minutes * 60_000).toISOString();

const minuteOf = (meter_id: string, at: string) => ({ meter_id, interval_seconds: 60, timestamp: at, kW: 1 });

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

  test("what production would refuse is a warning of an upload to the sandbox, from a file and from standard input", async () => {
    const { run, fileWith } = participantUser();
    const times = ["2026-06-04T00:01:00Z", "2026-06-04T00:02:00Z"];
    const all = times.flatMap((at) => [minuteOf("mtr_sandbox_lakeside", at), minuteOf("meter-7", at)]);
    const lines = all.map((each) => `${JSON.stringify(each)}\n`).join("");
    const environment = { CURTAIL_URL: service.sandboxUrl, CURTAIL_API_KEY: "sandbox-public-key" };
    const words =
      'meter_id is "meter-7", which is no meter of the sandbox or of this account; production would refuse the upload';
    const stored = { stored: 4, set_aside_count: 0, warnings: [words] };
    const fromInput = await run(["upload", "-", "--json"], { environment, stdin: lines });
    expect(fromInput).toMatchObject({ exitCode: 0, json: stored });
    const fromFile = await run(["upload", fileWith("readings.ndjson", lines)], { environment });
    expect(fromFile).toMatchObject({ exitCode: 0, stdout: "4 readings stored, 0 set aside.\n" });
    expect(fromFile.stderr.match(/warning: .*/g)).toEqual([`warning: ${words}`]);
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

  test("the progress of a file that was replaced while its meters were looked up does not count for the new one", async () => {
    const { run, fileWith } = participantUser();
    const file = fileWith("main.csv", TWO_READINGS);
    const { front, through } = await begun(run, file, () => void fileWith("main.csv", `${TWO_READINGS}\n`));
    expect(await run(["upload", file], { environment: through })).toMatchObject({
      stderr: "",
      stdout: "2 readings stored, 0 set aside.\n",
    });
    expect(front.uploads.at(-1)).toHaveLength(2);
  });

  test("a 200 that does not confirm the readings is not taken for their storage", async () => {
    const { run, fileWith } = participantUser();
    const file = fileWith("main.csv", TWO_READINGS);
    const front = await faultyFront(service.url);
    const through = { ...environment, CURTAIL_URL: front.url };
    front.faults.push({ status: 200 });
    const { exitCode, stdout, stderr } = await run(["upload", file], { environment: through });
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "0 readings stored, 0 set aside.\n" });
    expect(stderr).toContain("the response does not confirm the readings");
    front.faults.push({ status: 200 });
    const stdin = JSON.stringify({
      meter_id: participant.sites[0]?.meters[0],
      timestamp: day,
      interval_seconds: 60,
      kW: 1,
    });
    const sent = await run(["upload", "-"], { environment: through, stdin, speed: 100 });
    expect(sent).toMatchObject({ exitCode: 0, stdout: "1 reading stored, 0 set aside.\n" });
    expect(front.uploads.map(({ length }) => length)).toEqual([2, 1, 1]);
  });

  test("an upload that is resumed names what was refused before it broke off, each once", async () => {
    const { run, fileWith, home } = participantUser();
    const [meter_id] = participant.sites[0]?.meters ?? [];
    const readings = Array.from({ length: 10_001 }, (_, at) => ({ meter_id, timestamp: minuteAt(at), kW: at }));
    const lines = readings.map((reading, at) => JSON.stringify({ ...reading, interval_seconds: at === 7 ? 45 : 60 }));
    const [file, aside] = [fileWith("two-parts.ndjson", lines.join("\n")), join(home, "two-parts.aside")];
    const front = await faultyFront(service.url);
    // The first part, the same without what is refused, and the second part.
    front.faults.push("none", "none", { status: 401 });
    const upload = ["upload", file, "--set-aside", aside];
    const through = { CURTAIL_URL: front.url, CURTAIL_API_KEY: participant.key };
    const broken = await run(upload, { environment: through });
    expect(broken.stderr).toContain("9,999 readings stored; run it again to resume");
    expect(readFileSync(aside, "utf8").split("\n")).toHaveLength(2);

    const state = `${file}.upload.json`;
    // As after a kill that came before the first part was recorded as done.
    writeFileSync(state, readFileSync(state, "utf8").replace('"line": 10000', '"line": 0'));
    front.faults.push("none", "none", { status: 401 });
    expect((await run(upload, { environment: through })).stderr).toContain("run it again to resume");
    const { exitCode, stdout, stderr } = await run(upload, { environment: through });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "10,000 readings stored, 1 set aside.\n" });
    expect(stderr).toContain("reading 8: interval_seconds is 45");
    expect(readFileSync(aside, "utf8").split("\n")).toHaveLength(2);
    expect(readdirSync(home).filter((name) => name.startsWith("two-parts"))).toEqual([
      "two-parts.aside",
      "two-parts.ndjson",
    ]);
  });

  test.for([
    ["line 2 is no JSON", '{"a":1}\nno\n', "line 2: not a JSON object; nothing was sent"],
    ["a CSV file with a fault", "timestamp,main (kW)\n2026-06-04T00:05:00Z,x\n", "line 2: "],
    [
      "an unknown series",
      "timestamp,cellar (kW)\n2026-06-04T00:05:00Z,1\n2026-06-04T00:10:00Z,1\n",
      'clearly meant by "cellar"',
    ],
  ] as const)("nothing is sent of a file with %s", async ([, content, message]) => {
    const { run, fileWith } = participantUser();
    const { exitCode, stderr } = await run(["upload", fileWith("file", content)], { environment });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });

  test("what was refused before an interruption is named", async () => {
    const { run, fileWith } = participantUser();
    const [meter_id] = participant.sites[0]?.meters ?? [];
    const times = Array.from({ length: 10_001 }, (_, at) => Date.parse("2026-06-05T00:00:00Z") + at * 30_000);
    const lines = times.map((ms, at) =>
      JSON.stringify({ meter_id, timestamp: new Date(ms).toISOString(), interval_seconds: at === 6 ? 45 : 30, kW: 5 }),
    );
    const front = await faultyFront(service.url);
    front.faults.push("none", "none", { status: 401 });
    const { exitCode, stdout, stderr } = await run(["upload", fileWith("file", lines.join("\n"))], {
      environment: { ...environment, CURTAIL_URL: front.url },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "9,999 readings stored, 1 set aside.\n" });
    expect(stderr).toContain("reading 7: interval_seconds is 45");
    expect(stderr).toContain("9,999 readings stored; run it again to resume");
  });
});

const get = (...args: readonly string[]) => participantUser().run(["telemetry", "get", ...args], { environment });

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

  test("that is interrupted does not end as if all were there", async () => {
    const period = ["--start", day, "--end", nextDay];
    const { exitCode, stderr } = await participantUser().run(["telemetry", "get", ...period], {
      environment,
      onStart: async (interrupt) => interrupt(),
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 130,
      stderr: "curtail: stopped; the readings are not complete\n",
    });
  });

  test("prints no table without readings, but a CSV file of no lines", async () => {
    const empty = ["--start", "2020-01-01T00:00:00Z", "--end", "2020-01-02T00:00:00Z"];
    const stderr = "no readings in the period\n";
    expect(await get(...empty)).toMatchObject({ exitCode: 0, stdout: "", stderr });
    expect(await get(...empty, "--json")).toMatchObject({ exitCode: 0, stdout: "", stderr });
    const csv = await get(...empty, "--csv");
    expect(csv).toMatchObject({ exitCode: 0, stdout: "meter_id,timestamp,interval_seconds,kw\n", stderr });
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

  test("--since forwards what was created before the first start", async () => {
    const own = await service.newParticipant();
    const { id } = await newDispatch(service, await newProgram(service, [own], { name: "Since" }));
    const hook = await receiver();
    const { exitCode, stdout } = await participantUser().run(
      ["listen", "--forward-to", hook.url, "--since", "30d", "--json"],
      {
        environment: { CURTAIL_URL: service.url, CURTAIL_API_KEY: own.key },
        now: () => service.clock.now(),
        onOutput: (_, interrupt) => interrupt(),
      },
    );
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

  test("judges a system that reacts while it runs, over an outage", async () => {
    const keys = await sandbox();
    const call = (path: string, body?: object) =>
      fetch(`${keys.CURTAIL_URL}/2022-04-15${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "x-service-api-key": keys.CURTAIL_API_KEY, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    /** Curtails from a moment before the start until the end. */
    const react = async () => {
      const { dispatches } = (await (await call("/dispatches")).json()) as { dispatches: Dispatch[] };
      const nowMs = now().getTime();
      const isOn = dispatches.some(
        ({ id, start_time, end_time }) =>
          id !== "dis_sandbox" && Date.parse(start_time) - 1000 <= nowMs && nowMs <= Date.parse(end_time ?? ""),
      );
      const reading = { interval_seconds: 30, timestamp: now().toISOString(), kW: isOn ? 80 : 200 };
      await call("/telemetry", { telemetry: [{ ...reading, site_id: "site_sandbox_lakeside" }] });
    };
    await react();
    const front = await faultyFront(keys.CURTAIL_URL);
    const over = new AbortController();
    const reacting = (async () => {
      while (!over.signal.aborted) {
        service.clock.advance({ seconds: 0.5 });
        await react();
        // So that the command, which looks twice a second, sees the 20 s of the dispatch more than once.
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    })();
    const ran = participantUser().run(["trigger", "basic", "--speed", "120", "--site", "site_sandbox_lakeside"], {
      environment: { ...keys, CURTAIL_URL: front.url },
      now,
      onOutput(text) {
        if (text.includes("curtailed_in_time") && !text.includes("returned")) front.isDown = true;
      },
      onNote(text) {
        if (text.endsWith("waiting for its report\n")) front.isDown = false;
      },
    });
    const { exitCode, stdout, stderr } = await ran.finally(() => over.abort());
    await reacting;
    expect(stdout.match(/^\w+ +\w+/gm)).toEqual([
      expect.stringMatching(/^received +GET/),
      expect.stringMatching(/^passed +notified/),
      expect.stringMatching(/^passed +fetched/),
      expect.stringMatching(/^passed +curtailed_in_time/),
      expect.stringMatching(/^passed +returned_after/),
      "All criteria",
    ]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/the scenario runs on; waiting for its report\n.*the service answers again\n/);
  });

  test.for([
    [["trigger", "basic", "--commitment", "12.5"], 2, "It must be a whole number of kW"],
    [["trigger", "basic", "--site", "site_x"], 2, "there are site_sandbox_lakeside, site_sandbox_harbour"],
    [["trigger", "basic"], 3, "the public key of the sandbox keeps none"],
  ] as const)("%j ends with %d", async ([args, exitCode, message]) => {
    const keys = { CURTAIL_URL: service.sandboxUrl, CURTAIL_API_KEY: "sandbox-public-key" };
    const ran = await participantUser().run(args, { environment: keys, now });
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toContain(message);
  });

  test("is refused where there is no sandbox", async () => {
    const { exitCode, stderr } = await participantUser().run(["trigger", "basic"], { environment });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("is not a sandbox");
  });
});
