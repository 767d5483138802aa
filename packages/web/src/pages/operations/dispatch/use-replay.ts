import { useEffect, useRef, useState } from "react";
import { momentOf, momentText, type ReplaySpan, type Speed, within } from "../../../rules/replay.js";

/** The moment that a dispatch is shown at. */
export interface Replay {
  /** null: now. */
  readonly at: Date | null;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  readonly seek: (ms: number) => void;
  readonly step: (minutes: number) => void;
  readonly play: () => void;
  readonly setSpeed: (speed: Speed) => void;
  readonly live: () => void;
}

/** Where the address of a page has the moment. */
export interface MomentInAddress {
  readonly text: string | undefined;
  /** `replaces`: without a step of its own in the history. */
  readonly write: (next: string | undefined, replaces: boolean) => void;
}

const MINUTE_MS = 60_000;
const FRAME_MS = 100;
/** Browsers allow some hundred changes of an address in half a minute. */
const ADDRESS_EVERY_MS = 500;

/**
 * Keeps the moment in the address, so that a link shows it, and the browser's way back leads out of the replay.
 *
 * @param spanNow what can be replayed at present
 */
export const useReplay = (spanNow: () => ReplaySpan, { text, write }: MomentInAddress): Replay => {
  const [shownMs, setShown] = useState(() => momentOf(text));
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(60);
  const [address, setAddress] = useState({ seen: text, expected: text });
  if (text !== address.seen) {
    setAddress({ seen: text, expected: text });
    // The browser's way back, or a link.
    if (text !== address.expected) {
      setShown(momentOf(text));
      setPlaying(false);
    }
  }
  useWrittenToAddress(shownMs, text, (expected, replaces) => {
    setAddress((before) => ({ ...before, expected }));
    write(expected, replaces);
  });
  const seek = (ms: number) => setShown(within(spanNow(), ms));
  useEvery(FRAME_MS, isPlaying && shownMs !== null, (passedMs) => {
    const next = (shownMs ?? 0) + passedMs * speed;
    seek(next);
    if (next >= spanNow().toMs) setPlaying(false);
  });
  return {
    at: shownMs === null ? null : new Date(shownMs),
    isPlaying,
    speed,
    seek,
    step: (minutes) => seek((shownMs ?? Date.now()) + minutes * MINUTE_MS),
    play: () => {
      // From its end, a replay begins again.
      const { fromMs, toMs } = spanNow();
      if (!isPlaying) setShown((ms) => (ms === null || ms >= toMs ? fromMs : ms));
      setPlaying(!isPlaying);
    },
    setSpeed,
    live: () => {
      setPlaying(false);
      setShown(null);
    },
  };
};

type Moment = string | undefined;

const useWrittenToAddress = (shownMs: number | null, text: Moment, write: MomentInAddress["write"]): void => {
  const next = shownMs === null ? undefined : momentText(shownMs);
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });
  useEffect(() => {
    if (next === text) return;
    const isBegun = text !== undefined;
    const timer = setTimeout(
      // The first moment has a step of its own in the history; those after it replace it.
      () => latest.current(next, isBegun),
      isBegun ? ADDRESS_EVERY_MS : 0,
    );
    return () => clearTimeout(timer);
  }, [next, text]);
};

/** Runs with the time that has passed since the last run. */
const useEvery = (ms: number, isOn: boolean, run: (passedMs: number) => void): void => {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isOn) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      latest.current(now - last);
      last = now;
    }, ms);
    return () => clearInterval(timer);
  }, [ms, isOn]);
};
