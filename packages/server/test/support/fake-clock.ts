import type { DatabaseClock } from "../../src/storage/database-clock.js";

export interface FakeClock extends DatabaseClock {
  advance(by: {
    readonly seconds?: number;
    readonly minutes?: number;
    readonly hours?: number;
    readonly days?: number;
  }): void;
  set(at: Date): void;
}

/** A clock that stands still until the test moves it; it starts at a whole second of today. */
export const fakeClock = (): FakeClock => {
  let nowMs = Math.floor(Date.now() / 1000) * 1000;
  return {
    now: () => new Date(nowMs),
    advance({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      nowMs += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
    },
    set(at) {
      nowMs = at.getTime();
    },
    stop: () => {},
  };
};
