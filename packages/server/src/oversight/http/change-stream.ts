import type { EventSink, ServerEvent, Telling } from "../../platform/http/event-stream.js";
import { type Change, nameOf, type Viewer } from "../domain/change.js";
import type { LiveChanges } from "../operations/watch-changes.js";

/** Sends what to fetch again: `ready` first, then changes that concern the viewer. */
export const tellChanges = (changes: LiveChanges, viewer: Viewer, sink: EventSink): Telling => {
  // A slow reader gets changes later, each of them once.
  const untold = new Map<string, ServerEvent>();
  const resume = (): void => {
    for (const [name, event] of untold) {
      if (!sink.canTake) return;
      sink.send(event);
      untold.delete(name);
    }
  };
  const stop = changes.listen(viewer, {
    ready() {
      untold.set("ready", { name: "ready", data: {} });
      resume();
    },
    changed(news) {
      for (const change of news) untold.set(nameOf(change), eventOf(change));
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
