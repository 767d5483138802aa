import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Participant, Running } from "./running.js";

const SCRIPT = fileURLToPath(new URL("../../../../examples/recompute.mjs", import.meta.url));

/** What `examples/recompute.mjs` finds; `differing_cells` and `differing` where it differs from the result. */
export interface Recomputed {
  readonly mean_reduction_kw: number | null;
  readonly cells: number;
  readonly differing_cells: number;
  readonly differing: ReadonlyArray<readonly [name: string, value: number | null]>;
}

/** Computes a result again as a participant would, with the script as it is; a thread starts faster than a process. */
export const recompute = async (
  service: Running,
  { key }: Participant,
  { dispatchId, siteId, version }: { readonly dispatchId: string; readonly siteId: string; readonly version?: number },
): Promise<Recomputed> => {
  const argv = [service.url, key, dispatchId, siteId, ...(version === undefined ? [] : [`${version}`])];
  const worker = new Worker(SCRIPT, { argv, stdout: true });
  const failed = new Promise<never>((_, reject) => void worker.once("error", reject));
  return JSON.parse(await Promise.race([text(worker.stdout), failed])) as Recomputed;
};
