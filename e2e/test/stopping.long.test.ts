import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@curtail/testing/free-port";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newParticipant, type Participant, readPoints } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import {
  type Launcher,
  noSettings,
  type ProcessGroup,
  postgresIn,
  startGroup,
  startService,
} from "./support/process-group.js";
import { fillForSlowReads, requestsUnderWay } from "./support/requests-under-way.js";
import { underLoad } from "./support/service-process.js";
import { soakRounds } from "./support/soak.js";

/** How often each way of stopping is tried, busy and then idle; the moment of the second signal varies. */
const ROUNDS = soakRounds(1);
const ROUND_MS = 60_000;

type Ask = (group: ProcessGroup, round: number) => Promise<void>;

const toOne =
  (signal: NodeJS.Signals): Ask =>
  async ({ leader }) =>
    void leader.kill(signal);

const toAll =
  (signal: NodeJS.Signals): Ask =>
  async (group) =>
    group.signalAll(signal);

/** The second signal comes between 0 and 100 ms after the first, later each round. */
const twice =
  (first: NodeJS.Signals, second: NodeJS.Signals): Ask =>
  async (group, round) => {
    group.signalAll(first);
    await sleep((round * 37) % 100);
    if (!group.hasEnded()) group.signalAll(second);
  };

const ways: ReadonlyArray<readonly [launcher: Launcher, how: string, ask: Ask]> = [
  ["node", "Ctrl-C, to the whole group", toAll("SIGINT")],
  ["node", "SIGTERM and then SIGINT to the whole group within 100 ms", twice("SIGTERM", "SIGINT")],
  ["npm start", "SIGTERM to npm alone", toOne("SIGTERM")],
  ["npm start", "SIGTERM to the whole group", toAll("SIGTERM")],
  ["npm start", "Ctrl-C twice within 100 ms", twice("SIGINT", "SIGINT")],
];

const folder = await preparedFolder("memory");
const { dataDir } = folder;
const settings = underLoad(dataDir);

const addressOf = async (group: ProcessGroup): Promise<string> => {
  await group.said(/^curtail ready$/);
  return /http:\S+/.exec(await group.said(/^production REST/))?.[0] ?? "";
};

const isListening = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );

const expectCleanEnd = async (group: ProcessGroup): Promise<void> => {
  expect(await group.ended()).toBe("exit 0");
  // npm may end before the processes it started.
  await expect.poll(() => postgresIn(dataDir)).toEqual([]);
  expect(group.log()).not.toMatch(/did not stop cleanly|"level":(50|60)/);
};

let participant: Participant;

beforeAll(async () => {
  const group = startService("node", settings);
  const url = await addressOf(group);
  participant = await newParticipant(url, 1);
  await fillForSlowReads(url, participant);
  group.leader.kill("SIGTERM");
  await group.ended();
}, 120_000);

afterAll(() => folder.remove());

describe.each(ways)("a service started by `%s`, asked to stop by %s", (launcher, _how, ask) => {
  const start = async (): Promise<{ group: ProcessGroup; url: string }> => {
    const group = startService(launcher, settings);
    return { group, url: await addressOf(group) };
  };

  test(
    "finishes an upload of which half was sent and reads that nobody took yet, keeps the upload, and ends cleanly when idle",
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { group, url } = await start();
        const underWay = await requestsUnderWay(url, participant, 100 + round);
        await ask(group, 2 * round);
        await expect.poll(() => isListening(url)).toBe(false);
        expect(await underWay.finish()).toEqual({ upload: "HTTP/1.1 200 OK", read: "whole" });
        await expectCleanEnd(group);

        const next = await start();
        const window = { start: "2026-05-01T00:00:00Z", end: "2026-05-01T01:00:00Z" };
        const points = await readPoints(next.url, participant, window);
        expect([...points.values()].flat().map(({ value }) => value)).toEqual([100 + round]);
        await ask(next.group, 2 * round + 1);
        await expectCleanEnd(next.group);
      }
    },
    2 * ROUNDS * ROUND_MS,
  );
});

test(
  "a third signal after five seconds ends the service at once, its database too, and nothing answered is lost",
  async () => {
    const group = startService("npm start", settings);
    const url = await addressOf(group);
    await requestsUnderWay(url, participant, 1);
    // Each reaches the service twice, via npm too; its open request would keep it running for a minute.
    const again = setInterval(() => group.signalAll("SIGINT"), 500);
    const how = await group.ended();
    clearInterval(again);
    expect(how).toBe("exit 1");
    await expect.poll(() => postgresIn(dataDir)).toEqual([]);
    expect(group.log()).toContain("signalled again: stopping immediately");

    const next = startService("node", settings);
    const window = { start: "2026-06-01T00:00:00Z", end: "2026-06-01T01:00:00Z" };
    const points = await readPoints(await addressOf(next), participant, window);
    expect([...points.values()].flat()).toHaveLength(120);
    next.leader.kill("SIGTERM");
    expect(await next.ended()).toBe("exit 0");
  },
  ROUND_MS,
);

test(
  "a reader of the output that Ctrl-C ends first does not keep the service from draining",
  async () => {
    const group = startService("node", { ...settings, CURTAIL_LOG_LEVEL: "debug" });
    const url = await addressOf(group);
    const underWay = await requestsUnderWay(url, participant, 7);
    group.leader.stdout?.destroy();
    group.leader.stderr?.destroy();
    group.signalAll("SIGINT");
    await expect.poll(() => isListening(url)).toBe(false);
    expect(await underWay.finish()).toEqual({ upload: "HTTP/1.1 200 OK", read: "whole" });
    expect(await group.ended()).toBe("exit 0");
    expect(await postgresIn(dataDir)).toEqual([]);
  },
  ROUND_MS,
);

test(
  "a reader of the output that goes before the service is up does not end it",
  async () => {
    const port = await freePort();
    const group = startService("node", { ...settings, CURTAIL_PORT: String(port) });
    group.leader.stdout?.destroy();
    await expect.poll(() => isListening(`http://127.0.0.1:${port}`), { timeout: 30_000 }).toBe(true);
    group.leader.kill("SIGTERM");
    expect(await group.ended()).toBe("exit 0");
    expect(await postgresIn(dataDir)).toEqual([]);
  },
  ROUND_MS,
);

const demoWays: ReadonlyArray<readonly [how: string, ask: Ask]> = [
  ["SIGTERM to npm alone", toOne("SIGTERM")],
  ["SIGTERM to the whole group", toAll("SIGTERM")],
  ["Ctrl-C twice within 100 ms", twice("SIGINT", "SIGINT")],
];

test.each(demoWays)(
  "the demo, asked to stop by %s, takes its service and PostgreSQL along",
  async (_how, ask) => {
    const place = join(folder.path, "demo");
    const small = ["--sites", "1", "--history-days", "1", "--showcase-days", "0", "--port", "0", "--data-dir", place];
    const group = startGroup("npm", ["run", "demo", "--", ...small], noSettings);
    await group.said(/^demo ready$/);
    await ask(group, 1);
    expect(await group.ended()).toBe("exit 0");
    await expect.poll(() => postgresIn(join(place, "service"))).toEqual([]);
  },
  ROUND_MS,
);
