import { loadavg } from "node:os";
import { bounds, type Judged, type Strain } from "./verdict.js";

interface Row extends Judged, Strain {
  readonly name: string;
  readonly title: string;
  /** The sender's answers: count of each status. */
  readonly answers: Readonly<Record<string, number>>;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const widths = [22, 22, 22, 8, 7, 8] as const;

const columns = (...[name = "", ...cells]: string[]): string =>
  [name.padEnd(widths[0]), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))].join(" | ");

/** How much longer others wait than in the quiet run of the same service: polls, uploads and notices. */
export const printHeader = (seconds: number): void => {
  print(
    `\nwhile one attacks, ${seconds} s each: how much longer others' polls / uploads / notices took than in a quiet run`,
  );
  print(bounds);
  print(columns("attack", "p95 over quiet, ms", "worst over quiet, ms", "stall ms", "peak MB", "after MB", "verdict"));
};

export const printRow = (row: Row): void => {
  const { name, title, p95Ms, worstMs, quietP95Ms, quietWorstMs, stallMs, peakMb, afterMb, faults, answers } = row;
  const verdict = faults.length === 0 ? "kept" : `MISSED: ${faults.join(", ")}`;
  print(columns(name, listed(p95Ms), listed(worstMs), whole(stallMs), whole(peakMb), whole(afterMb), verdict));
  const got = Object.entries(answers).map(([what, count]) => `${count} × ${what}`);
  print(`    ${title}${got.length === 0 ? "" : `; the sender got ${got.join(", ")}`}`);
  // Shows other load on the machine: a noisy quiet run proves little.
  const load = loadavg()[0] ?? Number.NaN;
  print(`    quiet: p95 ${listed(quietP95Ms)}, worst ${listed(quietWorstMs)}; load of the machine ${load.toFixed(1)}`);
};

const listed = (values: readonly number[]): string => values.map(whole).join(" / ");

const whole = (value: number): string => (Number.isFinite(value) ? value.toFixed(0) : "lost");
