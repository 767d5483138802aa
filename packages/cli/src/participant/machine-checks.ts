import { type Check, good, warning } from "../check.js";

/** A spool on this machine. */
export interface FoundSpool {
  readonly folder: string;
  /** Records that are not uploaded yet, and files that are not read yet. */
  readonly waiting: number;
  readonly oldestMs: number | null;
  readonly setAside: number;
  /** Process that uses it; null if none does. */
  readonly usedBy: number | null;
}

const LATE_MS = 15 * 60_000;

/** Readings that nothing uploads are lost sight of: they are the first thing to say. */
export const spoolCheck = ({ folder, waiting, oldestMs, setAside, usedBy }: FoundSpool, nowMs: number): Check => {
  const since = oldestMs === null ? "" : ` since ${new Date(oldestMs).toISOString().slice(0, 19)}Z`;
  const detail = `${folder}: ${waiting} waiting${since}, ${setAside} set aside${usedBy === null ? "" : `, in use by process ${usedBy}`}`;
  if (waiting > 0 && usedBy === null)
    return warning(
      "spool",
      detail,
      "nothing uploads them: run `curtail upload --drain`, or start what reads them again",
    );
  if (waiting > 0 && oldestMs !== null && nowMs - oldestMs > LATE_MS)
    return warning("spool", detail, "they are not uploaded in time: see what the process says of the service");
  return setAside > 0
    ? warning("spool", detail, "correct what is in set-aside.jsonl, upload it again, and remove the file")
    : good("spool", detail);
};

/** What an agent answers of itself, as far as the checks look at it. */
export interface AgentAnswer {
  readonly service: { readonly url: string; readonly is_lost: boolean; readonly fault: string | null };
}

/** A running `curtail agent`; null: its page did not answer. */
export const agentCheck = (name: string, answer: AgentAnswer | null): Check => {
  if (answer === null) return warning("agent", `${name} runs, and its status page does not answer`, "look at its log");
  const { url, is_lost, fault } = answer.service;
  const detail = `${name} for ${url}`;
  if (is_lost)
    return warning("agent", `${detail} has no contact${fault === null ? "" : `: ${fault}`}`, "look at its log");
  return good("agent", detail);
};

/** What `curtail listen` remembers of one target. */
export interface FoundListener {
  readonly target: string;
  readonly url: string;
  /** Process that wrote it last, if it still runs. */
  readonly isRunning: boolean;
}

export const listenerCheck = ({ target, url, isRunning }: FoundListener): Check => {
  const detail = `${target} for ${url}`;
  return isRunning
    ? good("listener", `${detail} is running`)
    : warning("listener", `${detail} is not running`, "start `curtail listen` again if your program needs it");
};
