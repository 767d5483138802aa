import { ErrorResponse, NoResponse } from "./failure.js";
import type { Participant } from "./participant.js";
import { participantOperations } from "./participant-operations.js";
import type { Dispatch, DispatchList } from "./participant-types.js";
import { isPassing } from "./retry.js";
import { type StreamPlace, serverSentEvents } from "./server-sent-events.js";

/** An event of the stream of dispatches. */
export type DispatchEvent =
  | {
      /** All dispatches, in place of everything before. */
      readonly type: "snapshot";
      /** As `listDispatches` returns them. */
      readonly data: DispatchList;
    }
  | {
      /** A dispatch that appeared, changed or was cancelled. */
      readonly type: "dispatch";
      /** As `getDispatch` returns it. */
      readonly data: Dispatch;
    };

/** How a stream is followed. */
export interface StreamOptions {
  /** Aborting it ends the iteration; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time without a byte after which a connection counts as broken, in milliseconds. Default: 15,000, three heartbeats. */
  readonly silenceMs?: number;
  /** Called with null when the first bytes of a connection have arrived, and with why when it is lost or not made. */
  readonly onConnection?: (failure: ErrorResponse | NoResponse | null) => void;
}

/** Until the service says how long to wait. */
const RETRY_MS = 1000;
const LONGEST_DELAY_MS = 150_000;

/**
 * Yields the events of `GET /dispatches/stream`, an addition to the interface specification. A connection that breaks is
 * made again, after growing random delays of at most 5 minutes, and continues after the last event.
 *
 * An event is no receipt: get the dispatch that it carries, so that your account counts as notified. `watchDispatches`
 * does that, and keeps what was handled over restarts.
 *
 * @throws ErrorResponse for what does not pass: 404 if the service has no stream, 401 if the key was revoked
 * @example
 * for await (const event of streamDispatches(participant, { signal }))
 *   if (event.type === "dispatch") await plan(await participant.getDispatch({ id: event.data.id }));
 */
export async function* streamDispatches(
  participant: Pick<Participant, "streamDispatches" | "clock" | "random">,
  { signal, silenceMs = 15_000, onConnection }: StreamOptions = {},
): AsyncGenerator<DispatchEvent, never> {
  const { clock, random } = participant;
  const place: StreamPlace = { lastEventId: "", retryMs: RETRY_MS };
  for (let failures = 0; ; failures++) {
    const beganAt = clock.now();
    const onText = (isFirst: boolean) => {
      if (isFirst) onConnection?.(null);
      // One that lasted is no failed attempt.
      if (clock.now() - beganAt >= silenceMs) failures = 0;
    };
    try {
      const pieces = textOf(participant, { place, signal, silenceMs, onText });
      for await (const { type, data } of serverSentEvents(pieces, place))
        yield { type, data: JSON.parse(data) } as DispatchEvent;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
      onConnection?.(error);
      const delayMs = Math.min(place.retryMs * 2 ** failures, LONGEST_DELAY_MS);
      // Up to as much again, so that clients that lost their streams together do not return together.
      await clock.sleep(Math.max(delayMs, (error.retryAfter ?? 0) * 1000) * (1 + random()), signal);
    }
  }
}

interface Connection {
  readonly place: StreamPlace;
  readonly signal: AbortSignal | undefined;
  readonly silenceMs: number;
  readonly onText: (isFirst: boolean) => void;
}

/** The text of one connection; throws when it ends. */
async function* textOf(
  participant: Pick<Participant, "streamDispatches">,
  { place: { lastEventId }, signal, silenceMs, onText }: Connection,
): AsyncGenerator<string, void> {
  const ending = new AbortController();
  const either = AbortSignal.any([...(signal === undefined ? [] : [signal]), ending.signal]);
  /** Limits the time that the service takes, not the time to handle events. */
  const arriving = async <T>(arrival: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => ending.abort(lost(`no response for ${silenceMs} ms`)), silenceMs);
    try {
      return await arrival;
    } catch (cause) {
      either.throwIfAborted();
      throw cause instanceof TypeError ? lost("the response broke off", cause) : cause;
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const settings = { signal: either, lastEventId, retry: { attempts: 1 } };
    const body = bodyOf(await arriving(participant.streamDispatches(settings)));
    for (let isFirst = true; ; isFirst = false) {
      const { done, value } = await arriving(body.read());
      if (done) throw lost("the response ended");
      onText(isFirst);
      yield value;
    }
  } finally {
    ending.abort();
  }
}

const address = participantOperations.streamDispatches;

const lost = (why: string, cause?: unknown): NoResponse =>
  new NoResponse(`${address.method} ${address.path}: ${why}`, { cause });

const bodyOf = (response: Response): ReadableStreamDefaultReader<string> => {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || !type.startsWith("text/event-stream")) throw new ErrorResponse(address, response, type);
  return response.body.pipeThrough(new TextDecoderStream()).getReader();
};
