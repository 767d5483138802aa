import { describe, expect, test } from "vitest";
import { acknowledge } from "../src/acknowledge.js";
import type { OptType } from "../src/created-event.js";
import { listEvents, type Ven } from "../src/list-events.js";
import { afterShowing, type VenState } from "../src/ven-state.js";
import { aDispatch, aListing, answer, at, aVen, createdEvent, listed } from "./support/examples.js";

const MINUTE_MS = 60_000;
const dispatch = aDispatch();
const cancelled = aDispatch({ modificationNumber: 1, cancelledAt: at("17:00:00") });
/** The VEN received the dispatch before it was cancelled. */
const shown = afterShowing(new Map(), listed(at("13:00:00"), dispatch), at("13:00:00"));

const eventsAt = (now: Date, state: VenState, ven: Ven = aVen()) =>
  listEvents({ ...aListing(now, cancelled), state, ven });
const answered = (modificationNumber: number, optType: OptType): VenState =>
  acknowledge(createdEvent(answer("dispatch-1", { modificationNumber, optType })), {
    state: afterShowing(shown, eventsAt(at("17:01:00"), shown), at("17:01:00")),
    currentModifications: new Map([["dispatch-1", 1]]),
    now: at("17:02:00"),
  }).state;

test("rule 4: a cancel is listed as cancelled, with its own modification number and a response required", () => {
  const [event] = eventsAt(at("17:01:00"), shown);
  expect(event?.descriptor).toMatchObject({ status: "cancelled", modificationNumber: 1 });
  expect(event?.responseRequired).toBe("always");
});

test("rule 4: an event that is cancelled while active has no level any more", () => {
  const now = at("18:31:00");
  const stopped = aDispatch({ modificationNumber: 1, cancelledAt: at("18:30:00") });
  const [event] = listEvents({ ...aListing(now, stopped), state: shown });
  expect(event?.descriptor.status).toBe("cancelled");
  expect(event?.signals[0]?.currentLevel).toBe(0);
});

describe("rule 4: a cancel is listed until this VEN has acknowledged it", () => {
  test.each<OptType>(["optIn", "optOut"])("with %s", (optType) => {
    expect(eventsAt(at("17:03:00"), answered(1, optType))).toEqual([]);
  });

  test("an answer to the event before its cancel does not count", () => {
    expect(eventsAt(at("17:03:00"), answered(0, "optIn"))).toHaveLength(1);
  });

  test("but at most 30 minutes", () => {
    const gone = new Date(at("17:00:00").getTime() + 30 * MINUTE_MS);
    expect(eventsAt(new Date(gone.getTime() - 1), shown)).toHaveLength(1);
    expect(eventsAt(gone, shown)).toEqual([]);
  });

  test("and 5 if no response is required", () => {
    const ven = aVen({ askToAnswer: false });
    const gone = new Date(at("17:00:00").getTime() + 5 * MINUTE_MS);
    expect(eventsAt(new Date(gone.getTime() - 1), shown, ven)[0]?.responseRequired).toBe("never");
    expect(eventsAt(gone, shown, ven)).toEqual([]);
  });
});

test("rule 4: a VEN that never saw the event is not shown its cancel", () => {
  expect(eventsAt(at("17:01:00"), new Map())).toEqual([]);
});

test("rule 4: an earlier end is a shorter duration under the next modification number", () => {
  const [event] = listed(at("18:30:00"), aDispatch({ modificationNumber: 1, end: at("18:45:00") }));
  expect(event?.descriptor).toMatchObject({ modificationNumber: 1, status: "active" });
  expect(event?.activePeriod.durationSeconds).toBe(45 * 60);
});

test("rule 4: an end in the past completes the event, listed for 5 minutes after it", () => {
  const ended = aDispatch({ modificationNumber: 1, end: at("18:45:00") });
  expect(listed(at("18:46:00"), ended)[0]?.descriptor.status).toBe("completed");
  expect(listed(at("18:50:00"), ended)).toEqual([]);
});
