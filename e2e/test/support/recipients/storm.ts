import { setTimeout as sleep } from "node:timers/promises";
import { operator } from "@curtail/contract";
import { kill, victims } from "../kills.js";
import { operate } from "../participant.js";
import type { ServiceProcess } from "../service-process.js";
import type { Dispatched } from "./judge.js";

/** Issues dispatches one after the other, each with its changes, with kills in between. */
export interface Storm {
  readonly programId: string;
  readonly dispatches: number;
  readonly kills: number;
  readonly settings: Readonly<Record<string, string>> & { readonly CURTAIL_DATA_DIR: string };
  /** Called after each kill with the new service and the number of kills. */
  readonly onRestart: (service: ServiceProcess, kills: number) => Promise<void>;
}

const GAP_MS = 2500;

/** Excluded sites by dispatch; without those whose creation was not answered. */
type Answered = Map<string, readonly string[]>;

/** Kills interrupt the creation of some, so this many more are tried. */
const MOST_TRIES = 3;

/** Returns every dispatch that exists at the end. */
export const rage = async (first: ServiceProcess, storm: Storm): Promise<readonly Dispatched[]> => {
  const answered: Answered = new Map();
  const stories: Array<Promise<void>> = [];
  const between = Math.max(1, Math.floor(storm.dispatches / storm.kills));
  let service = first;
  for (let index = 0; answered.size < storm.dispatches && index < MOST_TRIES * storm.dispatches; index++) {
    // A kill may interrupt it anywhere.
    stories.push(story(service.url, storm.programId, { index, answered }).catch(() => {}));
    await sleep(Math.random() * GAP_MS);
    const kills = (index + 1) / between;
    if (!Number.isInteger(kills) || kills > storm.kills) continue;
    const bringBack = await kill(service, victims[(kills - 1) % victims.length] ?? "both", storm.settings);
    service = await bringBack();
    await storm.onRestart(service, kills);
  }
  await Promise.all(stories);
  const { items } = await operate(service.url, operator.listAllDispatches, { query: { limit: 500, sites: "omit" } });
  return items.map(({ id }) => ({ id, excludedSites: answered.get(id) ?? null }));
};

interface Telling {
  readonly index: number;
  readonly answered: Answered;
}

/** Creates a dispatch; half of them are changed, a quarter cancelled, unless the service dies first. */
const story = async (url: string, program_id: string, { index, answered }: Telling): Promise<void> => {
  const [start_time = "", end_time = "", later = ""] = [1, 2, 3].map((hours) =>
    new Date(Date.now() + hours * 3_600_000).toISOString(),
  );
  const body = { program_id, start_time, end_time };
  const created = await operate(url, operator.createDispatch, { body });
  answered.set(
    created.id,
    created.excluded_sites.map(({ site_id }) => site_id),
  );
  if (index % 2 === 0) return;
  await sleep(Math.random() * 2 * GAP_MS);
  await operate(url, operator.changeDispatch, { params: { id: created.id }, body: { end_time: later } });
  if (index % 4 === 1) return;
  await sleep(Math.random() * GAP_MS);
  await operate(url, operator.changeDispatch, { params: { id: created.id }, body: { authorized: false } });
};
