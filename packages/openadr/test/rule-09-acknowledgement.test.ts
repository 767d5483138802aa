import { describe, expect, test } from "vitest";
import { acknowledge, MAX_HISTORY } from "../src/acknowledge.js";
import type { EventResponse } from "../src/created-event.js";
import { listEvents } from "../src/list-events.js";
import { afterShowing, type VenState } from "../src/ven-state.js";
import { aDispatch, aListing, answer, at, aVen, createdEvent, listed } from "./support/examples.js";

const NOW = at("13:00:00");
const nothing: VenState = new Map();
const show = (modificationNumber: number, state: VenState = nothing): VenState =>
  afterShowing(state, listed(NOW, aDispatch({ modificationNumber })), NOW);
const ack = (state: VenState, current: number, ...responses: EventResponse[]) =>
  acknowledge(createdEvent(...responses), {
    state,
    currentModifications: new Map([["dispatch-1", current]]),
    now: NOW,
  });
const to = (modificationNumber: number, changes: Partial<EventResponse> = {}): EventResponse =>
  answer("dispatch-1", { modificationNumber, ...changes });
const optsOf = (state: VenState): string[] =>
  (state.get("dispatch-1")?.history ?? []).map(({ modificationNumber, optType }) => `${modificationNumber} ${optType}`);
const required = (state: VenState, modificationNumber: number): string | undefined =>
  listEvents({ ...aListing(NOW, aDispatch({ modificationNumber })), state })[0]?.responseRequired;

describe("rule 9: oadrResponseRequired is always until this VEN has answered this modification", () => {
  test("asked before it is shown and after, until it answers; asked again after a change", () => {
    expect(required(nothing, 0)).toBe("always");
    expect(required(show(0), 0)).toBe("always");
    const { state } = ack(show(0), 0, to(0));
    expect(required(state, 0)).toBe("never");
    expect(required(state, 1)).toBe("always");
  });

  test("an optOut is an answer, too", () => {
    expect(required(ack(show(0), 0, to(0, { optType: "optOut" })).state, 0)).toBe("never");
  });

  test("a VEN that need not answer is never asked", () => {
    const listing = { ...aListing(NOW, aDispatch()), ven: aVen({ askToAnswer: false }) };
    expect(listEvents(listing)[0]?.responseRequired).toBe("never");
  });
});

describe("rule 9: what an acknowledgement does", () => {
  test("it is recorded with its opt, the VEN's own code and the time, and answered 200 under its requestID", () => {
    const { state, verdicts, response } = ack(show(0), 0, to(0, { responseCode: "201", optType: "optOut" }));
    const acknowledgement = { modificationNumber: 0, optType: "optOut", responseCode: "201", at: NOW };
    expect(state.get("dispatch-1")).toEqual({
      firstShownAt: NOW,
      shownModification: 0,
      acknowledged: acknowledgement,
      history: [acknowledgement],
    });
    expect(verdicts).toEqual([{ eventId: "dispatch-1", acknowledgement, responseCode: "200", repeated: false }]);
    expect(response).toEqual({ responseCode: "200", responseDescription: "OK", requestId: "answer-7" });
  });

  test("the given state is not modified", () => {
    const before = show(0);
    ack(before, 0, to(0));
    expect(before).toEqual(show(0));
  });

  test("it is accepted again, and kept once", () => {
    const first = ack(show(0), 0, to(0));
    const again = ack(first.state, 0, to(0));
    expect(again.response.responseCode).toBe("200");
    expect(again.verdicts[0]?.repeated).toBe(true);
    expect(again.state).toEqual(first.state);
  });

  test("a change of mind counts, and the history has both", () => {
    const { state } = ack(ack(show(0), 0, to(0)).state, 0, to(0, { optType: "optOut" }));
    expect(state.get("dispatch-1")?.acknowledged?.optType).toBe("optOut");
    expect(optsOf(state)).toEqual(["0 optIn", "0 optOut"]);
  });

  test("it is accepted without a request", () => {
    const { state } = ack(show(0), 0, to(0));
    expect(required(state, 0)).toBe("never");
    expect(ack(state, 0, to(0, { optType: "optOut" })).response.responseCode).toBe("200");
  });

  test("for a superseded modification it is answered 450, and its opt is kept in the history", () => {
    const { state, response } = ack(show(1, show(0)), 1, to(0, { optType: "optOut" }));
    expect(response.responseCode).toBe("450");
    expect(state.get("dispatch-1")?.acknowledged).toBeNull();
    expect(optsOf(state)).toEqual(["0 optOut"]);
    expect(required(state, 1)).toBe("always");
  });

  test("for a modification superseded before the VEN was shown the next it is answered 450, too", () => {
    expect(ack(show(0), 1, to(0)).response.responseCode).toBe("450");
  });

  test("out of order, the older one does not undo the newer", () => {
    const { state, response } = ack(show(1, show(0)), 1, to(1), to(0, { optType: "optOut" }));
    expect(response.responseCode).toBe("450");
    expect(state.get("dispatch-1")?.acknowledged).toMatchObject({ modificationNumber: 1, optType: "optIn" });
    expect(optsOf(state)).toEqual(["1 optIn", "0 optOut"]);
  });

  test("for a modification that is yet to come it is answered 450, and counts for nothing until it is given again", () => {
    const early = ack(show(0), 0, to(1));
    expect(early.response.responseCode).toBe("450");
    expect(required(early.state, 1)).toBe("always");
    expect(required(ack(early.state, 1, to(1)).state, 1)).toBe("never");
  });

  test("for an event that the VEN was never shown it is answered 452 and not kept", () => {
    const { state, response } = ack(show(0), 0, answer("other"));
    expect(response.responseCode).toBe("452");
    expect(state).toEqual(show(0));
  });

  test("for an event that is no longer among the dispatches the last modification shown counts", () => {
    const created = createdEvent(to(3));
    const gone = { state: show(3), currentModifications: new Map<string, number>(), now: NOW };
    expect(acknowledge(created, gone).response.responseCode).toBe("200");
  });

  test("several answers are each taken by themselves; the message is answered with the gravest", () => {
    const { state, verdicts, response } = ack(show(1), 1, to(1), to(0), answer("other"));
    expect(verdicts.map(({ responseCode }) => responseCode)).toEqual(["200", "450", "452"]);
    expect(response.responseCode).toBe("452");
    expect(required(state, 1)).toBe("never");
  });

  test("without answers it changes nothing", () => {
    expect(ack(show(0), 0)).toMatchObject({ state: show(0), verdicts: [], response: { responseCode: "200" } });
  });

  test("the history keeps the newest answers of a VEN that never stops", () => {
    const responses = Array.from({ length: MAX_HISTORY + 1 }, (_, index) => to(index));
    const { state } = ack(show(0), 0, ...responses);
    expect(optsOf(state)).toHaveLength(MAX_HISTORY);
    expect(optsOf(state).at(-1)).toBe(`${MAX_HISTORY} optIn`);
    expect(state.get("dispatch-1")?.acknowledged?.modificationNumber).toBe(0);
  });
});

describe("rule 9: an error that a VEN reports is no acknowledgement", () => {
  const failure = { responseCode: "400", responseDescription: "no relay" };
  const reported = { eventId: "dispatch-1", modificationNumber: 0, code: "400", description: "no relay", at: NOW };

  test("it is distinguished, leaves the state unchanged and the answer outstanding, and is answered 200", () => {
    const { state, verdicts, errors, response } = ack(show(0), 0, to(0, failure));
    expect(state).toEqual(show(0));
    expect(verdicts).toEqual([]);
    expect(errors).toEqual([reported]);
    expect(response).toEqual({ responseCode: "200", responseDescription: "OK", requestId: "answer-7" });
    expect(required(state, 0)).toBe("always");
  });

  test("it does not take back what the VEN acknowledged before", () => {
    const before = ack(show(0), 0, to(0)).state;
    const { state, errors } = ack(before, 0, to(0, { ...failure, optType: "optOut" }));
    expect(state).toEqual(before);
    expect(errors).toHaveLength(1);
  });

  test("an error of the whole message counts for each of its answers", () => {
    const created = { ...createdEvent(to(0)), response: { requestId: "answer-7", ...failure } };
    const { state, errors } = acknowledge(created, { state: show(0), currentModifications: new Map(), now: NOW });
    expect(state).toEqual(show(0));
    expect(errors).toEqual([reported]);
  });

  test("an error without answers counts for every event that the VEN was shown and has not answered", () => {
    const created = { ...createdEvent(), response: { requestId: "answer-7", ...failure } };
    const meets = { currentModifications: new Map([["dispatch-1", 0]]), now: NOW };
    expect(acknowledge(created, { ...meets, state: show(0) }).errors).toEqual([reported]);
    expect(acknowledge(created, { ...meets, state: ack(show(0), 0, to(0)).state }).errors).toEqual([]);
  });

  test("for an event that the VEN was never shown it is answered 452 and not kept", () => {
    const { errors, response } = ack(show(0), 0, answer("other", failure));
    expect(response.responseCode).toBe("452");
    expect(errors).toEqual([]);
  });

  test("beside it other answers of the message count", () => {
    const { verdicts, errors } = ack(show(1), 1, to(1), to(0, failure));
    expect(verdicts).toHaveLength(1);
    expect(errors).toHaveLength(1);
  });
});

test("rule 9: an event that is shown again keeps when it was first shown, and its answers", () => {
  const { state } = ack(show(0), 0, to(0));
  const again = afterShowing(state, listed(at("14:00:00"), aDispatch({ modificationNumber: 1 })), at("14:00:00"));
  expect(again.get("dispatch-1")).toMatchObject({
    firstShownAt: NOW,
    shownModification: 1,
    acknowledged: { modificationNumber: 0 },
  });
});
