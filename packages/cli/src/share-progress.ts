import { type Options, SingleBar } from "cli-progress";
import type { Output } from "./admin-io.js";

/** Shows how much of a work is done. */
export interface ShareProgress {
  /** @param share from 0 to 1 */
  note(share: number): void;
  stop(): void;
}

const LINE_EVERY_MS = 10_000;
const STEPS = 1000;

/** A bar on a terminal, otherwise a line every ten seconds. */
export const showShare = (output: Output, what: string): ShareProgress => {
  if (output.isTTY === true) return bar(output as NodeJS.WriteStream, what);
  let latest = 0;
  const timer = setInterval(() => output.write(`${what}: ${Math.floor(latest * 100)} %\n`), LINE_EVERY_MS).unref();
  return {
    note(share) {
      latest = share;
    },
    stop: () => clearInterval(timer),
  };
};

const bar = (stream: NodeJS.WriteStream, what: string): ShareProgress => {
  const options: Options = {
    stream,
    format: `${what} {bar} {percentage}%  {eta_formatted} left`,
    barCompleteChar: "\u2588",
    barIncompleteChar: "\u2591",
    hideCursor: true,
  };
  const shown = new SingleBar(options);
  shown.start(STEPS, 0);
  return { note: (share) => shown.update(Math.floor(share * STEPS)), stop: () => shown.stop() };
};
