import { participantClient } from "@curtail/client";
import { operator, uploadTelemetry } from "@curtail/contract";
import { clonedDatabase, type OwnDatabase } from "@curtail/testing/database";
import { swallowingEntries } from "@curtail/testing/swallowed-entries";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { newParticipant, newProgram, operate, type Participant, type Site } from "./support/participant.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess } from "./support/service-process.js";
import { soakRounds } from "./support/soak.js";

// Uploads of late readings through two processes, while past dispatches of their sites are recorded and
// voided through both.
const SITES = 8;
const UPLOADS = 150 * soakRounds(1);
const HOUR_MS = 3_600_000;
const START_MS = Date.now() - 30 * HOUR_MS;
const timeAt = (ms: number): string => new Date(Math.floor(ms / 30_000) * 30_000).toISOString();

let database: OwnDatabase;
let processes: ServiceProcess[];
let participant: Participant;
let programId: string;

beforeAll(async () => {
  database = await clonedDatabase();
  const { host, port, user, database: name } = database.connection;
  const settings = {
    DATABASE_URL: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
    CURTAIL_RATE_LIMIT: "1000000",
    CURTAIL_ROLES: "api",
  };
  processes = await Promise.all([1, 2].map(() => startProcess(settings)));
  participant = await newParticipant(addressOf(0), SITES);
  programId = await newProgram(addressOf(0), { name: "Race" });
});

afterAll(async () => {
  await Promise.all(processes.map((each) => each.end("SIGTERM")));
  await database.drop();
});

const addressOf = (index: number): string => processes[index % processes.length]?.url ?? "";

const record = async (through: number): Promise<string> => {
  const sites = participant.sites.map(({ id }) => ({ site_id: id }));
  const times = { start_time: timeAt(START_MS), end_time: timeAt(START_MS + HOUR_MS) };
  const body = { program_id: programId, sites, confirm_past: true, ...times };
  return (await operate(addressOf(through), operator.createDispatch, { body })).id;
};

const voidIt = (through: number, id: string) =>
  operate(addressOf(through), operator.changeDispatch, {
    params: { id },
    body: { authorized: false, void_reason: "Recorded for the race." },
  });

const uploadLate = async (through: number, { meterId }: Site, kW: number): Promise<void> => {
  const reading = { meter_id: meterId, interval_seconds: 30, timestamp: timeAt(START_MS + HOUR_MS / 2), kW };
  const body = { telemetry: [reading] };
  await participantClient({ url: addressOf(through), key: participant.key }).call(uploadTelemetry, { body });
};

/** The number of the newest settled note of a site, which is new for each upload that is noted. */
const noteOf = ({ id }: Site): Promise<number> =>
  database.count(
    `select from generate_series(1, (
       select max(late_notes.seq) from late_notes join sites on sites.key = site where sites.id = $1 and settled_at is not null))`,
    [id],
  );

interface Race {
  readonly dispatches: number;
  /** Uploads that were sent after a dispatch had been recorded, and answered before it was voided. */
  readonly uploads: number;
  /** Those of them that were not noted for it. */
  readonly missed: number;
}

const race = async (most: number): Promise<Race> => {
  let current: string | null = null;
  let [dispatches, uploads, missed, sent] = [0, 0, 0, 0];
  const isOver = (): boolean => uploads >= most;
  const recordAndVoid = async (): Promise<void> => {
    while (!isOver()) {
      const [id, until] = [await record(dispatches), uploads + SITES];
      current = id;
      await vi.waitUntil(() => uploads >= Math.min(until, most), { interval: 5, timeout: 30_000 });
      current = null;
      await voidIt(dispatches++, id);
    }
  };
  const upload = async (site: Site): Promise<void> => {
    while (!isOver()) {
      const known: string | null = current;
      const before = known === null ? 0 : await noteOf(site);
      await uploadLate(sent, site, sent++ % 97);
      if (known === null || known !== current) continue;
      uploads += 1;
      if ((await noteOf(site)) === before) missed += 1;
    }
  };
  await Promise.all([recordAndVoid(), ...participant.sites.map(upload)]);
  return { dispatches, uploads, missed };
};

describe("late readings through two processes while a dispatch of the past is recorded and voided through both", () => {
  test("are noted for a dispatch that was recorded before they were sent", async () => {
    const { uploads, dispatches, missed } = await race(UPLOADS);
    expect(missed).toBe(0);
    expect([uploads >= UPLOADS, dispatches > UPLOADS / 15]).toEqual([true, true]);
  });

  test("are not if the journal swallows entries: the race finds what it looks for", async () => {
    // Both know that these sites were never dispatched.
    participant = await newParticipant(addressOf(0), SITES);
    for (const [index, site] of participant.sites.entries()) await uploadLate(index, site, 1);
    const { missed } = await swallowingEntries(database, () => race(100));
    expect(missed).toBeGreaterThan(0);
  });
});
