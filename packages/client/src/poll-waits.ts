import { followDispatches } from "./follow-dispatches.js";
import type { Participant } from "./participant.js";

type MaybeStreaming = Pick<Participant, "clock"> & Partial<Pick<Participant, "streamDispatches" | "random">>;

export interface PollTiming {
  /** Between polls while no stream is open, in milliseconds. */
  readonly intervalMs: number;
  /** Whether to follow the stream, if the participant has one. */
  readonly stream: boolean;
  readonly signal: AbortSignal | undefined;
}

/** The waits between the polls of a watch. */
export interface PollWaits {
  /**
   * Waits for the next poll, or for an end before that.
   *
   * @param endAt of a dispatch, in milliseconds of Unix time; null: none
   * @throws the reason of the signal
   */
  readonly untilNext: (endAt: number | null) => Promise<"poll" | "end">;
  readonly stop: () => void;
}

/** While the stream is open, polls make sure that nothing was missed. */
const SAFETY_MS = 30_000;
/** Between polls that events ask for, so that many of them do not use up what a key may ask for. */
const LEAST_MS = 500;

/** The first poll begins now. An event of the stream ends a wait early. */
export const pollWaits = (
  { clock, streamDispatches, random = Math.random }: MaybeStreaming,
  { intervalMs, stream, signal }: PollTiming,
): PollWaits => {
  const ending = new AbortController();
  let nap = new AbortController();
  let [polledAt, isOpen, hasEvent] = [clock.now(), false, false];
  const stop = () => {
    ending.abort();
    nap.abort();
  };
  signal?.addEventListener("abort", stop, { signal: ending.signal });
  const onEvent = () => {
    hasEvent = true;
    nap.abort();
  };
  const onConnection = (open: boolean) => {
    isOpen = open;
    nap.abort();
  };
  if (stream && streamDispatches !== undefined)
    void followDispatches({ streamDispatches, clock, random }, { signal: ending.signal, onEvent, onConnection });
  const betweenMs = () => {
    if (hasEvent) return LEAST_MS;
    return isOpen ? Math.max(intervalMs, SAFETY_MS) : intervalMs;
  };
  const untilNext: PollWaits["untilNext"] = async (endAt) => {
    for (;;) {
      signal?.throwIfAborted();
      nap = new AbortController();
      // A clock that was set back does not lengthen the wait.
      const pollMs = Math.min(polledAt - clock.now(), 0) + betweenMs();
      const endMs = endAt === null ? Number.POSITIVE_INFINITY : endAt - clock.now();
      try {
        await clock.sleep(Math.max(0, Math.min(pollMs, endMs)), nap.signal);
        if (endMs < pollMs) return "end";
        [polledAt, hasEvent] = [clock.now(), false];
        return "poll";
      } catch (error) {
        if (!nap.signal.aborted) throw error;
      }
    }
  };
  return { untilNext, stop };
};
