import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Participant, Running } from "./running.js";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("../../../../examples/recompute.mjs", import.meta.url));

/** What `examples/recompute.mjs` finds; `differing_cells` and `differing` where it differs from the result. */
export interface Recomputed {
  readonly mean_reduction_kw: number | null;
  readonly cells: number;
  readonly differing_cells: number;
  readonly differing: ReadonlyArray<readonly [name: string, value: number | null]>;
}

/** Computes a result again as a participant would, in a process of its own. */
export const recompute = async (
  service: Running,
  { key }: Participant,
  { dispatchId, siteId, version }: { readonly dispatchId: string; readonly siteId: string; readonly version?: number },
): Promise<Recomputed> => {
  const given = [service.url, key, dispatchId, siteId, ...(version === undefined ? [] : [`${version}`])];
  // It ends with 1 where something differs.
  const { stdout } = await run(process.execPath, [SCRIPT, ...given]).catch((error: { stdout?: string }) => {
    if (error.stdout) return { stdout: error.stdout };
    throw error;
  });
  return JSON.parse(stdout) as Recomputed;
};
