import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getDispatch, listDispatches, listSites, operator } from "@curtail/contract";
import { strangers } from "@curtail/testing/watch-replies";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Participant, type Running, running } from "../support/running.js";
import { faultyFront } from "./faulty-front.js";
import { participantUser } from "./participant-run.js";

let service: Running;
let anna: Participant;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  environment = { CURTAIL_URL: service.url, CURTAIL_API_KEY: anna.key };
});

const now = () => service.clock.now();
const revoked = () => service.operator(operator.revokeKey, { params: { id: anna.keyId } });
const missing = (id: string) => anna.call(getDispatch, { params: { id } });
const ran = (...args: readonly string[]) => participantUser().run(["logs", "tail", ...args], { environment, now });

/** Runs it until what it prints is complete. */
const once = async (args: readonly string[], lines: number) => {
  const output = async () => (await ran(...args, "--no-follow", "--json")).stdout.trim().split("\n");
  await expect.poll(output).toHaveLength(lines);
};

describe("logs tail --no-follow", () => {
  test("prints requests of all keys, the newest last, and what to do about errors", async () => {
    const second = await service.participantOf(anna.accountId);
    for (let count = 0; count < 2; count++) await second.call(listSites);
    await missing("dis_0");
    await once([], 2);
    const { exitCode, stdout, stderr } = await ran("--no-follow");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(new RegExp(`  200  GET /2022-04-15/sites  ×2  [\\d.]+ ms  ${second.keyId}$`));
    expect(lines[1]).toMatch(new RegExp(`  404  GET /2022-04-15/dispatches/dis_0  [\\d.]+ ms  ${anna.keyId}$`));
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^ +No such dispatch; check the id\.$/),
      expect.stringMatching(/^ +No dispatch of this account's sites has this id\./),
      "",
    ]);
  });

  test("prints only one status, and only what is not older than asked", async () => {
    await anna.call(listSites);
    await missing("old");
    await once([], 2);
    service.clock.advance({ minutes: 30 });
    await missing("new");
    await once(["--since", "1h"], 3);
    expect((await ran("--no-follow", "--json")).json).toMatchObject({ path: "/2022-04-15/dispatches/new" });
    const errors = await ran("--no-follow", "--status", "error", "--since", "1h");
    expect(errors.stdout.match(/(?<=dispatches\/)\w+/g)).toEqual(["old", "new"]);
    const none = await ran("--no-follow", "--status", "ok", "--since", "5m");
    expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "no such requests in this time\n" });
  });

  test("reads a log of several pages", async () => {
    await service.database.pool.query(
      `insert into request_log (account_id, key_id, at, method, path, status, count, total_ms, max_ms, is_sum)
       select $1, 'key_x', $2::timestamptz - n * interval '1 second', 'GET', '/' || n, 200, 1, 1, 1, false
       from generate_series(1, 1100) n`,
      [anna.accountId, now()],
    );
    expect((await ran("--no-follow", "--json", "--since", "1h")).stdout.trim().split("\n")).toHaveLength(1100);
  });

  test("shows the two fixed requests of the sandbox's public key", async () => {
    environment = { CURTAIL_URL: service.sandboxUrl, CURTAIL_API_KEY: "sandbox-public-key" };
    const { exitCode, stdout } = await ran("--no-follow", "--since", "2h");
    expect({ exitCode, lines: stdout.match(/ {2}\d{3} {2}\w+ \S+/g) }).toEqual({
      exitCode: 0,
      lines: ["  200  GET /2022-04-15/dispatches", "  400  POST /2022-04-15/telemetry"],
    });
  });
});

interface Line {
  readonly path: string;
  readonly count: number;
}

const linesOf = (stdout: string): Line[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

/** How many requests each path has had so far. */
const countsOf = (stdout: string): Record<string, number> =>
  linesOf(stdout).reduce<Record<string, number>>(
    (counts, { path, count }) => ({ ...counts, [path]: (counts[path] ?? 0) + count }),
    {},
  );

const [sites, dispatches] = ["/2022-04-15/sites", "/2022-04-15/dispatches"];

describe("logs tail", () => {
  test("prints each request once as it comes, over an outage, and ends well when it is interrupted", async () => {
    await anna.call(listSites);
    await once([], 1);
    const front = await faultyFront(service.url);
    let wasAway = false;
    const during = async () => {
      [front.isDown, wasAway] = [false, true];
      await missing("meanwhile");
      await anna.call(listDispatches);
      await anna.call(listSites);
    };
    const all = { [sites]: 3, [dispatches]: 1, [`${dispatches}/meanwhile`]: 1 };
    const { exitCode, stdout, stderr } = await participantUser().run(["logs", "tail", "--json"], {
      environment: { ...environment, CURTAIL_URL: front.url },
      now,
      speed: 20,
      onOutput(text, interrupt) {
        const counts = countsOf(text);
        front.isDown ||= !wasAway && counts[sites] === 2;
        if (JSON.stringify(counts, Object.keys(all)) === JSON.stringify(all)) interrupt();
      },
      onNote(text) {
        if (text.endsWith("Waiting for requests. Ctrl-C ends.\n")) void anna.call(listSites);
        if (text.endsWith("waiting for it\n")) void during();
      },
    });
    expect(exitCode).toBe(0);
    expect(countsOf(stdout)).toEqual(all);
    expect(stderr.match(/^curtail: .*$/gm)).toEqual([
      expect.stringMatching(/^curtail: no service answers at .*; waiting for it$/),
      "curtail: the service answers again",
    ]);
  });

  test("ends with the reason when its key is revoked", async () => {
    const { exitCode, stderr } = await participantUser().run(["logs", "tail"], {
      environment,
      now,
      speed: 20,
      onStart: async () => void (await revoked()),
    });
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/this API key was revoked/);
  });

  test("names a service that does not have it", async () => {
    const old = createServer((_, response) => {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: "There is nothing at this address.", type: "Not Found" }));
    });
    strangers.add(old);
    await new Promise<void>((resolve) => void old.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void old.close());
    environment = { ...environment, CURTAIL_URL: `http://127.0.0.1:${(old.address() as AddressInfo).port}` };
    expect(await ran()).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("has to upgrade it") });
  });
});
