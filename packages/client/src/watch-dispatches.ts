import {
  changeOf,
  type DispatchChange,
  forgetting,
  missingFrom,
  nextEnd,
  type WatchState,
  withChange,
} from "./dispatch-changes.js";
import { ErrorResponse, type NoResponse } from "./failure.js";
import type { Participant } from "./participant.js";
import type { Dispatch } from "./participant-types.js";
import { pollWaits } from "./poll-waits.js";
import { isPassing } from "./retry.js";

/** Keeps what was yielded over restarts. `@curtail/client/node` has one for files. */
export interface StateStore {
  /** What was saved last; null at the first start. */
  readonly load: () => Promise<WatchState | null>;
  /** Returns when the state is stored permanently. */
  readonly save: (state: WatchState) => Promise<void>;
}

/** How dispatches are watched. */
export interface WatchOptions {
  /**
   * Time between polls in milliseconds. Default: 30,000, as the specification recommends. While a stream is open, polls
   * follow its events, and are at least 30,000 apart otherwise.
   */
  readonly intervalMs?: number;
  /** Whether to follow `GET /dispatches/stream`, where the service has it. Default: true. */
  readonly stream?: boolean;
  /** Default: in memory, so that a restart yields the dispatches of the last 24 hours again. */
  readonly store?: StateStore;
  /** Aborting it ends the iteration; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called when a poll failed although it was repeated; the next one follows as usual. */
  readonly onFailure?: (error: ErrorResponse | NoResponse) => void;
}

/** A participant; one that has no `streamDispatches`, as in a test, is polled only. */
export type WatchedParticipant = Pick<Participant, "listDispatches" | "getDispatch" | "clock"> &
  Partial<Pick<Participant, "streamDispatches" | "random">>;

/**
 * Yields each new dispatch, each change, each cancellation and each end. It polls, and does so at once when the stream of
 * the service says that there is something new: within a second. Without a stream, or if a proxy holds it back, polls
 * remain. Several changes between two polls are one, with the newest state. An end without a change is yielded when it
 * passes by the clock of this machine.
 *
 * A change is saved as handled when the next one is asked for, that is, when the body of `for await` has finished with
 * it. While the process runs, none is yielded twice. If it is killed before that, the change is yielded again after the
 * restart: none is lost, so handle a repetition of the same `modification_number` gracefully.
 *
 * Failures that may pass are waited for; others, such as a revoked key, are thrown. End the loop, or abort the signal:
 * the stream stays open until then.
 *
 * @throws ErrorResponse for a failure that does not pass
 * @example
 * for await (const { type, dispatch } of watchDispatches(participant, { store: fileState("dispatches.json") })) {
 *   if (type === "created" || type === "changed") await plan(dispatch);
 *   else await stop(dispatch.id);
 * }
 */
export async function* watchDispatches(
  participant: WatchedParticipant,
  { intervalMs = 30_000, stream = true, store = inMemory(), signal, onFailure }: WatchOptions = {},
): AsyncGenerator<DispatchChange, never> {
  const { clock } = participant;
  let state = (await store.load()) ?? { seen: {} };
  const waits = pollWaits(participant, { intervalMs, stream, signal });
  try {
    for (;;) {
      const dispatches = await listed(participant, state, { signal, onFailure });
      for (;;) {
        for (const dispatch of dispatches ?? dispatchesOf(state)) {
          const change = changeOf(dispatch, state.seen[dispatch.id], clock.now());
          if (change === null) continue;
          yield change;
          state = withChange(state, change);
          await store.save(state);
        }
        if ((await waits.untilNext(nextEnd(state))) === "poll") break;
      }
      if (dispatches !== null) state = forgetting(state, dispatches);
    }
  } finally {
    waits.stop();
  }
}

const inMemory = (): StateStore => ({ load: async () => null, save: async () => {} });

const dispatchesOf = ({ seen }: WatchState): readonly Dispatch[] => Object.values(seen).map(({ dispatch }) => dispatch);

type Polling = { readonly signal: AbortSignal | undefined; readonly onFailure: WatchOptions["onFailure"] };

/** What the service lists, and the active dispatches that it does not list any more; null if the poll failed. */
const listed = async (
  participant: WatchedParticipant,
  state: WatchState,
  { signal, onFailure }: Polling,
): Promise<readonly Dispatch[] | null> => {
  const settings = signal === undefined ? {} : { signal };
  try {
    const { dispatches } = await participant.listDispatches(settings);
    const missing = missingFrom(dispatches, state);
    const found = await Promise.all(missing.map((last) => nowOf(participant, last, settings)));
    // Oldest start first: what happens next is yielded first.
    return [...found, ...dispatches].toSorted((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
  } catch (error) {
    if (!isPassing(error)) throw error;
    onFailure?.(error);
    return null;
  }
};

/** The current state of a dispatch; cancelled if the account does not see it any more. */
const nowOf = async (
  participant: WatchedParticipant,
  last: Dispatch,
  settings: { signal?: AbortSignal },
): Promise<Dispatch> => {
  try {
    return await participant.getDispatch({ id: last.id }, settings);
  } catch (error) {
    if (error instanceof ErrorResponse && error.status === 404) return { ...last, authorized: false };
    throw error;
  }
};
