import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import type { LoopClock } from "../../platform/clock.js";
import { type EventFeed, type EventSink, type ServerEvent, serveEvents } from "../../platform/http/event-stream.js";
import { type Change, type ChangeViewer, nameOf } from "../domain/change.js";
import type { LiveChanges } from "../operations/watch-changes.js";

export interface ChangeRoutePorts {
  readonly changes: LiveChanges;
  readonly clock: LoopClock;
}

/** Changes of all accounts. */
export const changeRoutes = (app: FastifyInstance, { changes, clock }: ChangeRoutePorts): void =>
  serveEvents(app, clock, operator.streamChanges, async (request) => ({
    reader: actorOf(request),
    mayContinue: () => mayContinue(request),
    begin: (sink) => sendChanges(changes, null, sink),
  }));

/** Changes that concern the caller's own account. */
export const ownChangeRoutes = (app: FastifyInstance, { changes, clock }: ChangeRoutePorts): void =>
  serveEvents(app, clock, participantConsole.streamOwnChanges, async (request) => ({
    reader: readerOf(request),
    mayContinue: () => callerMayContinue(request),
    begin: (sink) => sendChanges(changes, callerOf(request).accountId, sink),
  }));

/** Sends what to fetch again: `ready` first, then changes that concern the viewer. */
export const sendChanges = (changes: LiveChanges, viewer: ChangeViewer, sink: EventSink): EventFeed => {
  // A slow reader gets changes later, each of them once.
  const unsent = new Map<string, ServerEvent>();
  const resume = (): void => {
    for (const [name, event] of unsent) {
      if (!sink.canTake) return;
      sink.send(event);
      unsent.delete(name);
    }
  };
  const stop = changes.listen(viewer, {
    ready() {
      unsent.set("ready", { name: "ready", data: {} });
      resume();
    },
    changed(news) {
      for (const change of news) unsent.set(nameOf(change), eventOf(change));
      resume();
    },
  });
  return { resume, stop };
};

const eventOf = (change: Change): ServerEvent => {
  switch (change.what) {
    case "dispatch":
      return { name: "dispatch", data: { id: change.dispatchId } };
    case "delivery":
      return { name: "delivery", data: { dispatch_id: change.dispatchId } };
    case "alarm":
      return { name: "alarm", data: {} };
  }
};
