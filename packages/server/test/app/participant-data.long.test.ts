import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dispatch } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
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
import { faultyFront } from "./faulty-front.js";
import { participantUser } from "./participant-run.js";

beforeAll(prepare);

const minuteAt = (minutes: number): string => new Date(Date.parse("2026-03-01") + minutes * 60_000).toISOString();

describe("upload", () => {
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

describe("telemetry get", () => {
  test("prints no table without readings, but a CSV file of no lines", async () => {
    const empty = ["--start", "2020-01-01T00:00:00Z", "--end", "2020-01-02T00:00:00Z"];
    const stderr = "no readings in the period\n";
    expect(await get(...empty)).toMatchObject({ exitCode: 0, stdout: "", stderr });
    expect(await get(...empty, "--json")).toMatchObject({ exitCode: 0, stdout: "", stderr });
    const csv = await get(...empty, "--csv");
    expect(csv).toMatchObject({ exitCode: 0, stdout: "meter_id,timestamp,interval_seconds,kw\n", stderr });
  });
});

describe("listen", () => {
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

describe("trigger", () => {
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
});

const minuteOf = (meter_id: string, at: string) => ({ meter_id, interval_seconds: 60, timestamp: at, kW: 1 });

describe("upload", () => {
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
});

describe("telemetry get", () => {
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
});

describe("trigger", () => {
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
