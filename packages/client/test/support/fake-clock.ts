import type { Clock } from "../../src/clock.js";

/** A clock that jumps to the end of each wait, and keeps how long they were. */
export class FakeClock implements Clock {
  readonly waits: number[] = [];

  constructor(private nowMs = Date.parse("2026-07-01T18:00:00Z")) {}

  readonly now = (): number => this.nowMs;

  readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    this.waits.push(ms);
    this.nowMs += ms;
  };
}
