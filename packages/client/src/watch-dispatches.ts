import type { Clock } from "./clock.js";
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
import { isPassing } from "./retry.js";

/** Keeps what was yielded over restarts. `@curtail/client/node` has one for files. */
export interface StateStore {
  /** What was saved last; null at the first start. */
  readonly load: () => Promise<WatchState | null>;
  /** Returns when the state is stored permanently. */
  readonly save: (state: WatchState) => Promise<void>;
}

export interface WatchOptions {
  /** Time between polls in milliseconds. Default: 30,000, as the specification recommends. */
  readonly intervalMs?: number;
  /** Default: in memory, so that a restart yields the dispatches of the last 24 hours again. */
  readonly store?: StateStore;
  /** Aborting it ends the iteration; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called when a poll failed although it was repeated; the next one follows as usual. */
  readonly onFailure?: (error: ErrorResponse | NoResponse) => void;
}

type Watched = Pick<Participant, "listDispatches" | "getDispatch" | "clock">;

/**
 * Yields each new dispatch, each change, each cancellation and each end, by polling. Several changes between two polls
 * are one, with the newest state. An end without a change is yielded when it passes by the clock of this machine.
 *
 * A change is saved as handled when the next one is asked for, that is, when the body of `for await` has finished with
 * it. While the process runs, none is yielded twice. If it is killed before that, the change is yielded again after the
 * restart: none is lost, so handle a repetition of the same `modification_number` gracefully.
 *
 * Failures that may pass are waited for; others, such as a revoked key, are thrown.
 *
 * @example
 * for await (const { type, dispatch } of watchDispatches(participant, { store: fileState("dispatches.json") })) {
 *   if (type === "created" || type === "changed") await plan(dispatch);
 *   else await stop(dispatch.id);
 * }
 */
export async function* watchDispatches(
  participant: Watched,
  { intervalMs = 30_000, store = inMemory(), signal, onFailure }: WatchOptions = {},
): AsyncGenerator<DispatchChange, never> {
  const { clock } = participant;
  let state = (await store.load()) ?? { seen: {} };
  for (;;) {
    const pollAt = clock.now() + intervalMs;
    const dispatches = await listed(participant, state, { signal, onFailure });
    for (;;) {
      for (const dispatch of dispatches ?? dispatchesOf(state)) {
        const change = changeOf(dispatch, state.seen[dispatch.id], clock.now());
        if (change === null) continue;
        yield change;
        state = withChange(state, change);
        await store.save(state);
      }
      if (!(await sleptUntilEnd(clock, state, pollAt, signal))) break;
    }
    if (dispatches !== null) state = forgetting(state, dispatches);
  }
}

const inMemory = (): StateStore => ({ load: async () => null, save: async () => {} });

const dispatchesOf = ({ seen }: WatchState): readonly Dispatch[] => Object.values(seen).map(({ dispatch }) => dispatch);

/** Sleeps until the next poll, or until a dispatch ends before that; true in the second case. */
const sleptUntilEnd = async (
  clock: Clock,
  state: WatchState,
  pollAt: number,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  const end = nextEnd(state);
  const isEnd = end !== null && end < pollAt;
  await clock.sleep(Math.max(0, (isEnd ? end : pollAt) - clock.now()), signal);
  return isEnd;
};

type Polling = { readonly signal: AbortSignal | undefined; readonly onFailure: WatchOptions["onFailure"] };

/** What the service lists, and the active dispatches that it does not list any more; null if the poll failed. */
const listed = async (
  participant: Watched,
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
const nowOf = async (participant: Watched, last: Dispatch, settings: { signal?: AbortSignal }): Promise<Dispatch> => {
  try {
    return await participant.getDispatch({ id: last.id }, settings);
  } catch (error) {
    if (error instanceof ErrorResponse && error.status === 404) return { ...last, authorized: false };
    throw error;
  }
};
