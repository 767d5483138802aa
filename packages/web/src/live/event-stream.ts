import { HEARTBEAT_SECONDS } from "@curtail/contract/constants";
import { createParser, type EventSourceMessage } from "eventsource-parser";

/** A connection that was silent for three heartbeats is dead, even if it looks open. */
const SILENCE_MS = 3 * HEARTBEAT_SECONDS * 1000;
const RETRY_MS = [500, 1000, 2000, 5000, 10_000] as const;

/** A lost stream reconnects; `heardAt`: when the service was last heard on it, null if never. */
export interface LostStream {
  readonly heardAt: Date | null;
}

export type StreamState = "connecting" | "live" | "refused" | LostStream;

export interface Listener {
  readonly onEvent: (event: EventSourceMessage) => void;
  /** `refused`: this user may not follow the stream; there is no retry. */
  readonly onState: (state: StreamState) => void;
}

/**
 * Follows server-sent events until stopped, reconnects, and reports its state.
 * The browser's EventSource does not expose heartbeats, so a dead connection would look live for minutes.
 */
export const follow = (address: string, listener: Listener): (() => void) => {
  const stopping = new AbortController();
  void keepFollowing(address, listener, stopping.signal);
  return () => stopping.abort();
};

const keepFollowing = async (address: string, { onEvent, onState }: Listener, stop: AbortSignal): Promise<void> => {
  let lastId: string | null = null;
  let failures = 0;
  let heardAt: Date | null = null;
  onState("connecting");
  while (!stop.aborted) {
    await untilSeen(stop);
    const outcome = await once(address, lastId, stop, {
      onOpen: () => {
        failures = 0;
        onState("live");
      },
      onHeard: () => {
        heardAt = new Date();
      },
      onEvent: (event) => {
        if (event.id !== undefined) lastId = event.id;
        onEvent(event);
      },
    });
    if (stop.aborted) return;
    onState(outcome === "refused" ? "refused" : { heardAt });
    if (outcome === "refused") return;
    if (document.hidden) continue;
    await wait(RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)] ?? SILENCE_MS, stop);
  }
};

interface Connection {
  readonly onOpen: () => void;
  /** Any part of the answer, also a heartbeat. */
  readonly onHeard: () => void;
  readonly onEvent: (event: EventSourceMessage) => void;
}

/** Reads one connection until it ends. */
const once = async (
  address: string,
  lastId: string | null,
  stop: AbortSignal,
  { onOpen, onHeard, onEvent }: Connection,
): Promise<"ended" | "refused"> => {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENCE_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENCE_MS);
  };
  const unseen = () => document.hidden && silent.abort();
  document.addEventListener("visibilitychange", unseen);
  try {
    const response = await fetch(address, {
      headers: { accept: "text/event-stream", ...(lastId === null ? {} : { "last-event-id": lastId }) },
      signal: AbortSignal.any([stop, silent.signal]),
    });
    if (response.status === 401 || response.status === 404) return "refused";
    if (!response.ok || response.body === null) return "ended";
    onOpen();
    onHeard();
    const parser = createParser({ onEvent });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      heard();
      onHeard();
      parser.feed(part.value);
    }
  } catch {
    // A broken connection and a restarting service look the same: retry.
  } finally {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", unseen);
  }
  return "ended";
};

/**
 * A hidden tab holds no connection, as a browser has six for all tabs. It catches up when it becomes visible.
 */
const untilSeen = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !stop.aborted) return;
      document.removeEventListener("visibilitychange", look);
      stop.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    stop.addEventListener("abort", look);
    look();
  });

const wait = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    stop.addEventListener("abort", done);
  });
