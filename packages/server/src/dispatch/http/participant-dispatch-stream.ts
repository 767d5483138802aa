import { type listDispatches, type ReplyOf, streamDispatches } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { keyCallerOf, readerOf } from "../../access/caller/caller.js";
import type { KeyCaller } from "../../access/operations/caller.js";
import type { LoopClock } from "../../platform/clock.js";
import { type EventFeed, type EventSink, serveEvents } from "../../platform/http/event-stream.js";
import type { Dispatch } from "../domain/dispatch.js";
import type { DispatchFollower, LiveDispatches } from "../operations/follow-dispatches.js";
import { eventIdOf, newsAfter, type Position, positionFrom } from "./stream-position.js";
import { dispatchToWire } from "./wire-dispatch.js";

export interface DispatchStreamPorts {
  readonly live: Pick<LiveDispatches, "follow" | "refuseWhenFull">;
  readonly clock: LoopClock;
  readonly random: () => number;
}

/** Readers connect again at different times, so that a restart does not bring all of them at once. */
const RETRY_MS = { least: 500, spread: 2500 };

/** Dispatches of the key's account. A stream is no evidence: what is sent may never arrive (G45). */
export const dispatchStreamRoute = (app: FastifyInstance, { live, clock, random }: DispatchStreamPorts): void =>
  serveEvents(app, clock, streamDispatches, async (request) => {
    const refusal = live.refuseWhenFull();
    if (refusal !== null) return refusal;
    const caller = keyCallerOf(request);
    const position = positionFrom(request.headers["last-event-id"]);
    return {
      reader: accountOf(request, caller),
      retryMs: Math.round(RETRY_MS.least + random() * RETRY_MS.spread),
      // Its follower is notified when the key is no longer accepted.
      mayContinue: async () => true,
      begin: (sink) => sendDispatches(live, { caller, position }, sink),
    };
  });

/** Streams are counted by account; those of a shared key by address. */
const accountOf = (request: FastifyRequest, { accountId, isShared }: KeyCaller): string =>
  isShared === true ? readerOf(request) : `dispatches of ${accountId}`;

interface Begun {
  readonly caller: KeyCaller;
  /** What the reader has from its previous stream. */
  readonly position: Position | null;
}

const sendDispatches = (live: DispatchStreamPorts["live"], begun: Begun, sink: EventSink): EventFeed => {
  const reader = new DispatchReader(begun, sink);
  const stop = live.follow(reader);
  return { resume: () => reader.tell(), stop };
};

class DispatchReader implements DispatchFollower {
  readonly caller: KeyCaller;
  private position: Position | null;
  private list: readonly Dispatch[] | null = null;
  /** The list that the reader has. */
  private told: readonly Dispatch[] | null = null;

  constructor(
    { caller, position }: Begun,
    private readonly sink: EventSink,
  ) {
    this.caller = caller;
    this.position = position;
  }

  listed(dispatches: readonly Dispatch[]): void {
    this.list = dispatches;
    this.tell();
  }

  refused(): void {
    this.sink.end();
  }

  /** A slow reader gets nothing until it caught up, then what is current; meanwhile nothing is kept for it. */
  tell(): void {
    const { list } = this;
    if (list === null) return;
    while (this.told !== list && this.sink.canTake) {
      const news = newsAfter(this.position, list);
      if (news === null) this.told = list;
      else {
        const id = eventIdOf(news.position);
        if (news.dispatch === null) this.sink.send({ id, name: "snapshot", data: listToWire(list) });
        else this.sink.send({ id, name: "dispatch", data: dispatchToWire(news.dispatch) });
        this.position = news.position;
      }
    }
  }
}

const listToWire = (dispatches: readonly Dispatch[]): ReplyOf<typeof listDispatches> => ({
  dispatches: dispatches.map(dispatchToWire),
  page: 0,
  perPage: 0,
});
