import { expect, test } from "vitest";
import { listEvents, type Ven } from "../src/list-events.js";
import { aDispatch, aListing, at, aVen } from "./support/examples.js";

const dispatch = aDispatch({
  id: "d-42",
  sites: [
    { id: "site-1", customerLocationId: "store 4" },
    { id: "site-2", customerLocationId: "" },
    { id: "site-3", customerLocationId: "store 4" },
  ],
});
const eventFor = (changes: Partial<Ven>) =>
  listEvents({ ...aListing(at("13:00:00"), dispatch), ven: aVen(changes) })[0];

test("rule 8: eventID is the dispatch's id", () => {
  expect(eventFor({})?.descriptor.eventId).toBe("d-42");
});

test("rule 8: the target names the sites by their ids, and the venID", () => {
  expect(eventFor({})?.target).toEqual({
    groupIds: [],
    resourceIds: ["site-1", "site-2", "site-3"],
    venIds: ["ven-1"],
    partyIds: [],
  });
});

test("rule 8: or by the customer location id if there is one, each once", () => {
  expect(eventFor({ resourceIdFrom: "customer_location_id" })?.target.resourceIds).toEqual(["store 4", "site-2"]);
});

test("rule 8: the venID is omitted if the VEN is configured without it", () => {
  expect(eventFor({ targetVenId: false })?.target.venIds).toEqual([]);
});
