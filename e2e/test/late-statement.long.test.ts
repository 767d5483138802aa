import { participantClient } from "@curtail/client";
import { operator, uploadTelemetry } from "@curtail/contract";
import { clonedDatabase, type OwnDatabase } from "@curtail/testing/database";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newParticipant, newProgram, operate, type Participant } from "./support/participant.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess } from "./support/service-process.js";

// In real time: a reading of the past, a correction, its entry in the journal, the follower, and the statement.
const HOUR_MS = 3_600_000;
const START_MS = Math.floor((Date.now() - 5 * HOUR_MS) / 300_000) * 300_000;
const timeAt = (ms: number): string => new Date(ms).toISOString().replace(".000", "");

let database: OwnDatabase;
let service: ServiceProcess;
let participant: Participant;

beforeAll(async () => {
  database = await clonedDatabase();
  const { host, port, user, database: name } = database.connection;
  service = await startProcess({
    DATABASE_URL: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
    CURTAIL_ROLES: "api,worker",
  });
  participant = await newParticipant(service.url, 1);
});

afterAll(async () => {
  await service.end("SIGTERM");
  await database.drop();
});

const upload = (fromMs: number, untilMs: number, kW: number) => {
  const [site] = participant.sites;
  const count = (untilMs - fromMs) / 300_000;
  const telemetry = Array.from({ length: count }, (_, index) => ({
    meter_id: site?.meterId ?? "",
    interval_seconds: 300,
    timestamp: timeAt(fromMs + (index + 1) * 300_000),
    kW,
  }));
  return participantClient({ url: service.url, key: participant.key }).call(uploadTelemetry, { body: { telemetry } });
};

const settled = async () => {
  const { url } = service;
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } } as const;
  const program_id = await newProgram(url, { name: "Late", timezone: "UTC", baseline });
  const [site_id = ""] = participant.sites.map(({ id }) => id);
  await operate(url, operator.enrolSite, { params: { id: program_id, site_id }, body: { commitment: 40 } });
  const energy = { price_per_kwh: "1", counted: "net", highest_share: null } as const;
  const terms = { currency: "USD", capacity: null, energy, penalty: null };
  const month = timeAt(START_MS).slice(0, 7);
  await operate(url, operator.setTerms, { params: { id: program_id, from_month: month }, body: terms });
  await upload(START_MS - HOUR_MS, START_MS, 100);
  await upload(START_MS, START_MS + 2 * HOUR_MS, 60);
  const times = { start_time: timeAt(START_MS), end_time: timeAt(START_MS + HOUR_MS), confirm_past: true };
  await operate(url, operator.createDispatch, { body: { program_id, ...times } });
  const made = await operate(url, operator.makeStatements, {
    body: { month, account_id: participant.accountId },
  });
  return made.items[0]?.id ?? "";
};

const amountOf = async (id: string): Promise<string | undefined> =>
  (await operate(service.url, operator.getAnyStatement, { params: { id } })).totals[0]?.energy;

test("a late reading restates its statement within five seconds", async () => {
  const id = await settled();
  // 40 kW for an hour.
  await vi.waitUntil(async () => (await amountOf(id)) === "40.00", { timeout: 30_000, interval: 100 });
  const elapsedMs: number[] = [];
  for (const amount of ["45.00", "50.00", "55.00"]) {
    // As if it had been a while ago: what was just versioned or drawn up waits for more.
    await database.run("update performance_versions set at = at - interval '2 minutes'");
    await database.run("update statements set drawn_at = drawn_at - interval '2 minutes'");
    const beganMs = performance.now();
    await upload(START_MS, START_MS + HOUR_MS, 100 - Number(amount));
    await vi.waitUntil(async () => (await amountOf(id)) === amount, { timeout: 30_000, interval: 20 });
    elapsedMs.push(performance.now() - beganMs);
  }
  process.stdout.write(
    `late readings to statements: ${elapsedMs.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(", ")}\n`,
  );
  for (const ms of elapsedMs) expect(ms).toBeLessThan(5000);
});
