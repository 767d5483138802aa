import { createHash } from "node:crypto";
import { readFile, readlink, utimes } from "node:fs/promises";

/**
 * Names a process for others that find what it works on: `SPACE.PID.STARTED`. The space is that of its number, this boot of the
 * machine and the container; `unknown` if the platform does not say.
 */
type Owner = string;

/** An owner as part of a regular expression. */
export const OWNER = String.raw`(?:[0-9a-f]{8}|unknown)\.\d{1,10}\.\d{1,20}`;

const UNKNOWN = "unknown";

const spaceOf = async (): Promise<string> => {
  try {
    const [boot, numbers] = await Promise.all([
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
      readlink("/proc/self/ns/pid"),
    ]);
    return createHash("sha256").update(`${boot} ${numbers}`).digest("hex").slice(0, 8);
  } catch {
    return UNKNOWN;
  }
};

/** The fields of `/proc/PID/stat` after the name of the program, which may have spaces and brackets. */
const AFTER_NAME = /\) (?<state>\S)(?: \S+){18} (?<started>\d+) /;

/** When a process of this space was started, in ticks since the boot; null: it has ended. */
const startOf = async (pid: number): Promise<string | null> => {
  try {
    const { state, started } = AFTER_NAME.exec(await readFile(`/proc/${pid}/stat`, "utf8"))?.groups ?? {};
    return state === undefined || "ZX".includes(state) ? null : (started ?? null);
  } catch {
    return null;
  }
};

let known: Promise<{ readonly space: string; readonly started: string }> | undefined;

const findOwn = async () => ({ space: await spaceOf(), started: (await startOf(process.pid)) ?? "0" });

/** This process. */
export const ownOwner = async (): Promise<Owner> => {
  const { space, started } = await (known ??= findOwn());
  return `${space}.${process.pid}.${started}`;
};

const TOUCHED_EVERY_MS = 10_000;
/** Longer than a machine that is busy keeps a timer waiting. */
const FORGOTTEN_MS = 120_000;

/** Shows processes that cannot ask for this one that it still works on a file, until the returned function is called. */
export const keepTouched = (path: string): (() => void) => {
  // It may not be there yet, or not any more.
  const touch = (): void => void utimes(path, new Date(), new Date()).catch(() => {});
  const timer = setInterval(touch, TOUCHED_EVERY_MS).unref();
  return () => clearInterval(timer);
};

/**
 * Whether the owner of a file has ended. One of another machine or container cannot be asked for: it has if it has not
 * touched the file for two minutes.
 */
export const hasEnded = async (owner: Owner, touchedAtMs: number): Promise<boolean> => {
  const [space, pid, started] = owner.split(".");
  if (space === UNKNOWN || space !== (await (known ??= findOwn())).space) return isForgotten(touchedAtMs);
  return (await startOf(Number(pid))) !== started;
};

/** Whether nobody touched it for two minutes. */
export const isForgotten = (touchedAtMs: number): boolean => Date.now() - touchedAtMs > FORGOTTEN_MS;
