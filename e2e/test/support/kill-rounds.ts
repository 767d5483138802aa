import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";
import { newParticipant, type Participant } from "./participant.js";
import { preparedFolder } from "./prepared-data.js";
import { postmasterPid, type ServiceProcess, startProcess, underLoad } from "./service-process.js";
import { UploadLoad } from "./upload-load.js";

const SITES = 8;
export const KEPT_BEFORE_KILL = 100;

export interface Result {
  readonly kept: number;
  readonly missing: number;
}

interface Round {
  readonly number: number;
  readonly participant: Participant;
  /** Of the service that is started next. */
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

/** Two rounds that append to a log, which is folded meanwhile, then two that write rows: what is left of the log lies over them. */
const foldAfter = (round: number): string => (round % 4 < 2 ? "2" : "off");

/**
 * Kills a service under load as often as asked, and starts it again each time.
 *
 * @param through what the load is sent through; default: nothing
 * @returns for each kill how many readings were answered 200, and how many of these are missing
 */
export const killRounds = async (count: number, through: typeof directly = directly): Promise<readonly Result[]> => {
  const folder = await preparedFolder();
  const settingsOf = (round: number) => ({ ...underLoad(folder.dataDir), CURTAIL_FOLD_AFTER: foldAfter(round) });
  const results: Result[] = [];
  let service = await startProcess(settingsOf(0));
  try {
    const participant = await newParticipant(service.url, SITES);
    for (let number = 0; number < count; number++) {
      const { next, result } = await killed(service, {
        number,
        participant,
        settings: settingsOf(number + 1),
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
