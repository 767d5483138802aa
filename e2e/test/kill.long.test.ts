import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { earlyAnswers } from "./support/early-answer-proxy.js";
import { newParticipant, type Participant } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { postmasterPid, type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";
import { soakRounds } from "./support/soak.js";
import { UploadLoad } from "./support/upload-load.js";

const ROUNDS = soakRounds(4);
const SITES = 8;
const KEPT_BEFORE_KILL = 100;

interface Result {
  readonly kept: number;
  readonly missing: number;
}

interface Round {
  readonly number: number;
  readonly participant: Participant;
  readonly settings: ReturnType<typeof underLoad>;
  /** Whether PostgreSQL is killed too. */
  readonly databaseToo: boolean;
  readonly through: typeof directly;
}

const directly = async (url: string): Promise<{ url: string; close: () => void }> => ({ url, close: () => {} });

/** Kills the service under load, restarts it, and looks for everything that was answered with 200. */
const killed = async (service: ServiceProcess, round: Round): Promise<{ next: ServiceProcess; result: Result }> => {
  const load = new UploadLoad(round.participant, round.number);
  const entrance = await round.through(service.url);
  load.start(entrance.url);
  // The kill may fall anywhere in the work: up to 300 ms after there is something to lose.
  await vi.waitUntil(() => load.kept.length >= KEPT_BEFORE_KILL, { timeout: 20_000, interval: 5 });
  await sleep(Math.random() * 300);
  const postmaster = postmasterPid(round.settings.CURTAIL_DATA_DIR);
  await service.end("SIGKILL");
  if (round.databaseToo) process.kill(postmaster, "SIGKILL");
  await load.stop();
  entrance.close();
  const next = await startProcess(round.settings);
  const missing = await load.missing(next.url);
  return { next, result: { kept: load.kept.length, missing: missing.length } };
};

const rounds = async (count: number, through: typeof directly): Promise<Result[]> => {
  const folder = await preparedFolder();
  const settings = underLoad(folder.dataDir);
  const results: Result[] = [];
  let service = await startProcess(settings);
  try {
    const participant = await newParticipant(service.url, SITES);
    for (let number = 0; number < count; number++) {
      const { next, result } = await killed(service, {
        number,
        participant,
        settings,
        databaseToo: number % 2 === 1,
        through,
      });
      service = next;
      results.push(result);
    }
  } finally {
    await service.end("SIGTERM");
    await folder.remove();
  }
  return results;
};

test(
  `no reading that was answered 200 is missing after ${ROUNDS} kills of the service, half of them with its database`,
  async () => {
    const results = await rounds(ROUNDS, directly);
    expect(results).toHaveLength(ROUNDS);
    expect(results.reduce((sum, { kept }) => sum + kept, 0)).toBeGreaterThanOrEqual(ROUNDS * KEPT_BEFORE_KILL);
    expect(results.filter(({ missing }) => missing > 0)).toEqual([]);
  },
  200_000 + ROUNDS * 25_000,
);

test("control: with answers given before the commit, the same harness finds readings missing", async () => {
  const [result] = await rounds(1, earlyAnswers);
  expect(result?.missing).toBeGreaterThan(0);
}, 120_000);
