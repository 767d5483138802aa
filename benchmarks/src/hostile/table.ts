import type { Judged, Strain } from "./verdict.js";
import { bounds } from "./verdict.js";

interface Row extends Judged, Strain {
  readonly name: string;
  readonly answers: Readonly<Record<string, number>>;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const columns = (
  cells: readonly [name: string, p95: string, worst: string, stall: string, peak: string, after: string, rest: string],
): string => {
  const [name, p95, worst, stall, peak, after, rest] = cells;
  return `${name.padEnd(22)} | ${p95.padStart(20)} | ${worst.padStart(20)} | ${stall.padStart(8)} | ${peak.padStart(7)} | ${after.padStart(8)} | ${rest}`;
};

/** What others wait longer than in the quiet run of the same service: polls, uploads and notices. */
export const printHeader = (seconds: number): void => {
  print(
    `\nwhile one attacks, ${seconds} s each: how much longer others' polls / uploads / notices took than in a quiet run`,
  );
  print(bounds);
  print(
    columns(["attack", "p95 over quiet, ms", "worst over quiet, ms", "stall ms", "peak MB", "after MB", "verdict"]),
  );
};

export const printRow = ({ name, p95Ms, worstMs, stallMs, peakMb, afterMb, faults, answers }: Row): void => {
  const verdict = faults.length === 0 ? "kept" : `MISSED: ${faults.join(", ")}`;
  const sent = Object.entries(answers).map(([what, count]) => `${count} × ${what}`);
  print(
    columns([name, listed(p95Ms), listed(worstMs), whole(stallMs), whole(peakMb), whole(afterMb), verdict]) +
      (sent.length === 0 ? "" : ` (${sent.join(", ")})`),
  );
};

const listed = (values: readonly number[]): string => values.map(whole).join(" / ");

const whole = (value: number): string => (Number.isFinite(value) ? value.toFixed(0) : "lost");
