import { cpuSeconds, ownCpuSeconds } from "./cpu.js";
import { figure, median } from "./report.js";

/** What takes part in a benchmark, whose processor time is counted. */
export const PARTS = ["service", "database", "load"] as const;
export type Part = (typeof PARTS)[number];

/** Seconds of the processor. */
export type Spent = Readonly<Record<Part, number>>;

export interface Taking {
  /** Process ids. The database counts with its children. */
  readonly service: number;
  readonly database: number;
  /** Unless given, this process is the load. */
  readonly load?: number;
}

/** A figure of each part. */
export const eachPart = (of: (part: Part) => number): Spent =>
  Object.fromEntries(PARTS.map((part) => [part, of(part)])) as Record<Part, number>;

/** Counts from now on, until the returned function is called. */
export const counting = ({ service, database, load = process.pid }: Taking): (() => Spent) => {
  const count = (): Spent => ({
    service: cpuSeconds(service),
    database: cpuSeconds(database),
    load: ownCpuSeconds(load),
  });
  const before = count();
  return () => {
    const after = count();
    return eachPart((part) => after[part] - before[part]);
  };
};

/** Lines of a report: the median of what each part spends for one of `count`. */
export const spentLines = (
  rounds: ReadonlyArray<{ readonly spent: Spent }>,
  count: number,
  one: string,
): Record<string, string> =>
  Object.fromEntries(
    PARTS.map((part) => [
      `CPU µs per ${one}, ${part}`,
      figure((median(rounds.map(({ spent }) => spent[part])) / count) * 1e6),
    ]),
  );
