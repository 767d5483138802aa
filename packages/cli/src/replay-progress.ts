import { type Options, SingleBar } from "cli-progress";
import type { Output } from "./admin-io.js";

/** Shows the progress of a replay: a bar on a terminal, otherwise a line every ten seconds. */
export interface Progress {
  add(readings: number): void;
  stop(): void;
}

const LINE_EVERY_MS = 10_000;

export const showProgress = (output: Output, total: number): Progress =>
  output.isTTY === true ? bar(output as NodeJS.WriteStream, total) : steadyLines(output, total);

export const grouped = (count: number): string => count.toLocaleString("en-US");

/** `1 reading`, `2,000 readings` */
export const readingsText = (count: number): string => `${grouped(count)} ${count === 1 ? "reading" : "readings"}`;

const bar = (stream: NodeJS.WriteStream, total: number): Progress => {
  const options: Options = {
    stream,
    format: "{bar} {percentage}%  {value} of {total} readings  {eta_formatted} left",
    formatValue: (value, _options, type) => (type === "value" || type === "total" ? grouped(value) : String(value)),
    barCompleteChar: "\u2588",
    barIncompleteChar: "\u2591",
    hideCursor: true,
  };
  const shown = new SingleBar(options);
  shown.start(total, 0);
  return { add: (readings) => shown.increment(readings), stop: () => shown.stop() };
};

/** A line also while nothing moves: someone who reads a log sees that the command is there. */
const steadyLines = (output: Output, total: number): Progress => {
  let sent = 0;
  const timer = setInterval(() => output.write(`${grouped(sent)} of ${grouped(total)} readings\n`), LINE_EVERY_MS);
  timer.unref();
  return {
    add(readings) {
      sent += readings;
    },
    stop: () => clearInterval(timer),
  };
};

/** Progress in lines, of what may still grow. */
export const progressLines = (output: Output, known: number): Progress & { grow(readings: number): void } => {
  let [sent, total] = [0, known];
  let saidAtMs = performance.now();
  return {
    grow(readings) {
      total += readings;
    },
    add(readings) {
      sent += readings;
      if (performance.now() - saidAtMs < LINE_EVERY_MS) return;
      saidAtMs = performance.now();
      output.write(`${grouped(sent)} of ${grouped(total)} readings\n`);
    },
    stop: () => {},
  };
};
