import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bad, type Check, good, warning } from "@curtail/cli";
import { readOffset } from "../../../platform/database/database-clock.js";
import type { Read } from "./reading.js";

const run = promisify(execFile);
const PROGRAM_MS = 3000;

/** What is known of this machine's clock. */
export interface SeenClock {
  /** Whether the system sets it by time servers; null: nothing here says so. */
  readonly isSynchronised: boolean | null;
  /** By how much it is ahead of the database's; null: the database did not answer. */
  readonly aheadMs: number | null;
}

const WARN_MS = 2000;
/** Codes of authenticator apps last 30 s, and so do tolerances of tokens. */
const MAX_MS = 30_000;

const SYNCHRONISE = "synchronise the clocks of all machines with NTP: dispatches start by the database's clock";

export const clockCheck = ({ isSynchronised, aheadMs }: SeenClock): Check => {
  const off = Math.abs(aheadMs ?? 0);
  const apart =
    aheadMs === null ? "" : `${(off / 1000).toFixed(1)} s ${aheadMs < 0 ? "behind" : "ahead of"} the database`;
  const detail = [apart, synchronisedWords(isSynchronised)].filter((part) => part !== "").join(", ");
  if (off > MAX_MS) return bad("clock", detail, SYNCHRONISE);
  if (off > WARN_MS || isSynchronised === false) return warning("clock", detail, SYNCHRONISE);
  if (aheadMs === null && isSynchronised === null)
    return warning("clock", detail, "compare the clock with that of another machine");
  return good("clock", detail);
};

const synchronisedWords = (is: boolean | null): string => {
  if (is === null) return "nothing on this machine says whether it is synchronised";
  return is ? "synchronised" : "not synchronised";
};

/** @param read null: without the database */
export const lookAtClock = async (read: Read | null): Promise<readonly Check[]> => {
  const [isKept, aheadMs] = await Promise.all([isSynchronised(), read === null ? null : aheadOfDatabase(read)]);
  return [clockCheck({ isSynchronised: isKept, aheadMs })];
};

/** Of systemd, which asks the kernel, or of chrony. */
const isSynchronised = async (): Promise<boolean | null> =>
  (await said("timedatectl", ["show", "--property=NTPSynchronized", "--value"], /^(yes)?(no)?\s*$/)) ??
  (await said(
    "chronyc",
    ["-c", "-t", "500", "tracking"],
    /,(?:(Normal|Insert second|Delete second)|(Not synchronised))\s*$/,
  ));

/** true and false: the first or second group matched; null: the program is not there, or does not say. */
const said = async (program: string, args: readonly string[], answer: RegExp): Promise<boolean | null> => {
  try {
    const { stdout } = await run(program, args, { timeout: PROGRAM_MS });
    const [, yes, no] = answer.exec(stdout) ?? [];
    return yes !== undefined ? true : no !== undefined ? false : null;
  } catch {
    return null;
  }
};

/** By how much this machine's clock is ahead of the database's. */
const aheadOfDatabase = (read: Read): Promise<number> =>
  read(async (client) => Date.now() - (performance.now() + (await readOffset(client))));
