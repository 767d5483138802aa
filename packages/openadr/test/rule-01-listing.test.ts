import { describe, expect, test } from "vitest";
import { COMPLETED_LISTED_SECONDS, limitEvents } from "../src/list-events.js";
import { aDispatch, anEvent, at, listed } from "./support/examples.js";

const idsOf = (events: ReturnType<typeof listed>): string[] => events.map((event) => event.descriptor.eventId);

test("rule 1: every answer lists all far, near and active events, shown before or not", () => {
  const far = aDispatch({ id: "far", start: at("22:00:00"), end: at("23:00:00") });
  const near = aDispatch({ id: "near", start: at("18:05:00") });
  const active = aDispatch({ id: "active" });
  const events = listed(at("18:00:00"), far, near, active);
  expect(events.map(({ descriptor }) => [descriptor.eventId, descriptor.status])).toEqual([
    ["active", "active"],
    ["near", "near"],
    ["far", "far"],
  ]);
});

test("rule 1: before its notification time a dispatch is not listed", () => {
  expect(listed(new Date(at("12:00:00").getTime() - 1), aDispatch())).toEqual([]);
  expect(idsOf(listed(at("12:00:00"), aDispatch()))).toEqual(["dispatch-1"]);
});

test("rule 1: a completed event stays listed for 5 minutes after its end", () => {
  const gone = new Date(at("19:30:00").getTime() + COMPLETED_LISTED_SECONDS * 1000);
  expect(COMPLETED_LISTED_SECONDS).toBe(300);
  expect(listed(new Date(gone.getTime() - 1), aDispatch())[0]?.descriptor.status).toBe("completed");
  expect(listed(gone, aDispatch())).toEqual([]);
});

describe("rule 1: replyLimit leaves out the tail", () => {
  const events = ["a", "b", "c"].map((eventId) => anEvent({ descriptor: { ...anEvent().descriptor, eventId } }));

  test.each([
    { replyLimit: null, kept: ["a", "b", "c"], leftOut: 0 },
    { replyLimit: 0, kept: ["a", "b", "c"], leftOut: 0 },
    { replyLimit: 1, kept: ["a"], leftOut: 2 },
    { replyLimit: 3, kept: ["a", "b", "c"], leftOut: 0 },
    { replyLimit: 4_294_967_295, kept: ["a", "b", "c"], leftOut: 0 },
  ])("$replyLimit keeps $kept", ({ replyLimit, kept, leftOut }) => {
    const limited = limitEvents(events, replyLimit);
    expect(limited.events.map((event) => event.descriptor.eventId)).toEqual(kept);
    expect(limited.leftOut).toBe(leftOut);
  });
});
