import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createParticipant, readTelemetry } from "@curtail/client";
import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { newParticipant } from "./support/participant.js";
import { preparedService } from "./support/prepared-service.js";
import { temporaryFolder } from "./support/service-process.js";
import { isRefused, readingAt } from "./support/spool-readings.mjs";

const ROUNDS = Number(process.env["SPOOL_ROUNDS"] ?? 5);
const MINUTE_MS = 60_000;
const OUTAGE_MINUTES = 48 * 60;
const SITES = 2;
const READINGS = OUTAGE_MINUTES * SITES;
const LONGEST_RUN_MS = 250;
/** So that kills fall into the uploads, too, however many there are. */
const BATCH = Math.max(20, Math.ceil(1000 / ROUNDS));

const gateway = fileURLToPath(new URL("support/spool-gateway.mjs", import.meta.url));

interface GatewaySettings {
  readonly folder: string;
  readonly url: string;
  readonly key: string;
  readonly meters: readonly string[];
  readonly startMs: number;
  readonly order: "upload first" | "retire first";
}

/** A process that appends from a reading on, and uploads; it is killed at some time after its first line. */
const runGateway = async (settings: GatewaySettings, from: number, killAfterMs: number | null) => {
  const input = { ...settings, from, to: READINGS, batch: BATCH, pauseMs: ROUNDS };
  const child = spawn(process.execPath, [gateway, JSON.stringify(input)], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let safe = from;
  let last = "";
  for await (const line of createInterface({ input: child.stdout })) {
    if (last === "" && killAfterMs !== null) void sleep(killAfterMs).then(() => child.kill("SIGKILL"));
    if (line.startsWith("safe ")) safe = Number(line.slice("safe ".length));
    last = line;
  }
  await exited;
  return { safe, isEmpty: last === "empty", isKilled: child.signalCode === "SIGKILL" };
};

/** Kills in the middle of 48 hours without a service, and again after its return; then what the service has. */
const outage = async (order: GatewaySettings["order"]) => {
  const spool = await temporaryFolder();
  atEnd(() => spool.remove());
  const service = await preparedService();
  const { url } = service;
  const { key, sites } = await newParticipant(url, SITES);
  await service.end("SIGTERM");

  const startMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - OUTAGE_MINUTES * MINUTE_MS;
  const meters = sites.map(({ meterId }) => meterId);
  const run: GatewaySettings = { folder: spool.path, url, key, meters, startMs, order };
  let [safe, kills] = [0, 0];
  const kill = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const ran = await runGateway(run, safe, Math.random() * LONGEST_RUN_MS);
      safe = ran.safe;
      if (ran.isKilled) kills += 1;
    }
  };
  await kill();
  await service.startAgain();
  await kill();
  const { isEmpty } = await runGateway(run, safe, null);

  const found = new Map<string, number[]>();
  const period = { siteIds: sites.map(({ id }) => id), start: new Date(startMs), end: new Date() };
  for await (const { meter_id, readings } of readTelemetry(createParticipant({ url, key }), {
    ...period,
    intervalSeconds: 60,
  }))
    for (const { timestamp, value } of readings) {
      const place = `${meter_id} ${Date.parse(timestamp)}`;
      found.set(place, [...(found.get(place) ?? []), value]);
    }
  return { isEmpty, kills, found, of: { meters, startMs }, folder: spool.path };
};

const numbers = Array.from({ length: READINGS }, (_, number) => number);

const lostIn = ({ found, of }: Awaited<ReturnType<typeof outage>>): readonly number[] =>
  numbers.filter((number) => {
    const { meter_id, timestamp, kW } = readingAt(number, of);
    return !isRefused(number) && found.get(`${meter_id} ${Date.parse(timestamp)}`)?.[0] !== kW;
  });

test(
  `48 hours without the service and ${2 * ROUNDS} kills of the uploader lose no reading and double none`,
  async () => {
    const result = await outage("upload first");
    expect(result.isEmpty).toBe(true);
    // Without the service no run ends by itself.
    expect(result.kills).toBeGreaterThanOrEqual(ROUNDS);
    expect(lostIn(result)).toEqual([]);
    expect([...result.found.values()].filter(({ length }) => length !== 1)).toEqual([]);
    expect(result.found.size).toBe(numbers.filter((number) => !isRefused(number)).length);
    const lines = readFileSync(join(result.folder, "set-aside.jsonl"), "utf8").trim().split("\n");
    const aside = lines.map((line) => JSON.parse(line) as { position: number; reason: string; record: string });
    const refused = new Set(aside.map(({ record }) => (JSON.parse(record) as { kW: number }).kW));
    expect([...refused].sort((a, b) => a - b)).toEqual(numbers.filter(isRefused));
    expect(new Set(aside.map(({ position }) => position)).size).toBe(aside.length);
    expect(aside[0]?.reason).toMatch(/interval_seconds is 45/);
  },
  90_000 + ROUNDS * 5000,
);

test("control: an uploader that retires readings before they are stored loses some in the same harness", async () => {
  const result = await outage("retire first");
  expect(lostIn(result).length).toBeGreaterThan(0);
}, 120_000);
