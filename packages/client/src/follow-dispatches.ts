import { streamDispatches } from "./dispatch-stream.js";
import type { Participant } from "./participant.js";

/** What is to be called. */
export interface FollowOptions {
  /** Aborting it ends the following. */
  readonly signal: AbortSignal;
  /** Called for each event: something is new, ask for it now. */
  readonly onEvent: () => void;
  /** Called with true when a connection is open, and with false when it is lost or not made. */
  readonly onConnection?: (isOpen: boolean) => void;
}

/** A service without a stream may be updated. */
const ASK_AGAIN_MS = 600_000;

/**
 * Wakes a poll: calls `onEvent` as soon as the service says that a dispatch appeared, changed or was cancelled. It says
 * so within a second where it has `GET /dispatches/stream`, and where nothing between cuts or holds back the stream.
 * Go on polling: this only makes it sooner. Failures are not reported; those of the poll say the same.
 *
 * @returns when the signal is aborted
 * @example
 * void followDispatches(participant, { signal, onEvent: () => poll.now() });
 */
export const followDispatches = async (
  participant: Pick<Participant, "streamDispatches" | "clock" | "random">,
  { signal, onEvent, onConnection }: FollowOptions,
): Promise<void> => {
  const { clock, random } = participant;
  const told = (failure: unknown) => onConnection?.(failure === null);
  while (!signal.aborted) {
    try {
      for await (const _ of streamDispatches(participant, { signal, onConnection: told })) onEvent();
    } catch (failure) {
      told(failure);
      // Half of it at least, so that those who were refused together do not return together.
      await clock.sleep((ASK_AGAIN_MS * (1 + random())) / 2, signal).catch(() => {});
    }
  }
};
