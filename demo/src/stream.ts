import { setTimeout as delay } from "node:timers/promises";
import type { CallBook } from "./calls.js";
import { fill } from "./fill.js";
import type { MemoryFile } from "./memory.js";
import type { Participant } from "./participants.js";
import { say } from "./say.js";

const GRID_MS = 30_000;
const COARSE_SECONDS = 300;
/** A gap longer than this is filled with five-minute readings. */
const LONG_GAP_MS = 3_600_000;
/** A reading is sent a moment after its interval ended. */
const AFTER_MS = 250;

export interface Streaming {
  readonly participants: readonly Participant[];
  readonly book: CallBook;
  readonly memory: MemoryFile;
  readonly signal: AbortSignal;
}

/** Sends one reading per meter every 30 seconds, and readings missed during a pause, until aborted. */
export const stream = async (streaming: Streaming): Promise<void> => {
  while (!streaming.signal.aborted) {
    try {
      await catchUp(streaming, Math.floor(Date.now() / GRID_MS) * GRID_MS);
    } catch (error) {
      // Unsent readings are sent with the next one.
      if (!streaming.signal.aborted)
        say(`readings are late: ${error instanceof Error ? error.message : String(error)}`);
    }
    const waitMs = GRID_MS - (Date.now() % GRID_MS) + AFTER_MS;
    await delay(waitMs, undefined, { signal: streaming.signal }).catch(() => {});
  }
};

const catchUp = async ({ participants, book, memory }: Streaming, untilMs: number): Promise<void> => {
  const send = async (seconds: number, toMs: number): Promise<void> => {
    const span = { fromMs: memory.memory.filledUntilMs, untilMs: toMs, seconds };
    await Promise.all(participants.map((each) => fill(each, span, (site) => book.callsOf(site.known.id))));
    memory.remember({ filledUntilMs: toMs });
  };
  const gapMs = untilMs - memory.memory.filledUntilMs;
  const coarseMs = COARSE_SECONDS * 1000;
  if (gapMs > LONG_GAP_MS)
    await send(COARSE_SECONDS, memory.memory.filledUntilMs + Math.floor(gapMs / coarseMs) * coarseMs);
  if (untilMs > memory.memory.filledUntilMs) await send(GRID_MS / 1000, untilMs);
};
