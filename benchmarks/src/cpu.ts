import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** CPU seconds of a process and its children, living and reaped. */
export const cpuSeconds = (pid: number): number => {
  let ticks = 0;
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const fields = statOf(Number(name));
    if (fields === null) continue;
    const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]));
    if (Number(name) === pid) ticks += sum(user, system, childUser, childSystem);
    else if (parent === pid) ticks += sum(user, system);
  }
  return ticks / TICKS_PER_SECOND;
};

/** CPU seconds of a process alone. */
export const ownCpuSeconds = (pid: number): number => {
  const fields = statOf(pid) ?? [];
  return sum(...[11, 12].map((index) => Number(fields[index] ?? 0))) / TICKS_PER_SECOND;
};

const sum = (...numbers: Array<number | undefined>): number =>
  numbers.reduce<number>((total, each) => total + (each ?? 0), 0);

/** Fields of /proc/<pid>/stat after the command's name; null if the process has ended. */
const statOf = (pid: number): string[] | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
};

/** Memory of a process, in kB. */
export const residentKb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN);
