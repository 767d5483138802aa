import { expect, test } from "vitest";
import { newFinder } from "../src/browser/finder.js";
import { pageGroups } from "../src/index.js";
import { searchEntries } from "../src/search.js";

const find = newFinder(searchEntries(await pageGroups()));
const addresses = (query: string): readonly string[] => find(query).map(({ at }) => at);
const isDecision = (at: string): boolean => at.startsWith("decisions/");

test.for(["mtls", "mTLS", "mutual tls"])("%s leads to the certificates of VENs", (query) => {
  expect(addresses(query).filter((at) => at.startsWith("openadr.html"))).not.toEqual([]);
});

test.for([
  "webhook",
  "backup",
  "upgrade",
  "time zone",
  "first dispatch",
  "telemetry rows",
  "journal",
  "outbox",
  "demo",
])("guides come before decisions: %s", (query) => {
  const found = addresses(query);
  expect(found.length).toBeGreaterThan(0);
  const first = found.findIndex(isDecision);
  expect(first === -1 ? [] : found.slice(first).filter((at) => !isDecision(at))).toEqual([]);
  expect(first).not.toBe(0);
});

test("a decision is found first by its title", () => {
  expect(addresses("a demo on the page")[0]).toBe("decisions/0058-demo-on-the-page.html");
});

test.for([
  ["webhook signature", "webhooks.html#check-the-signature"],
  ["alarms", "admin.html#alarms"],
  ["curtailmentWindows", "sdk/client/dispatches.html#curtailmentwindows"],
])("the first result for %s is %s", ([query = "", wanted]) => {
  expect(addresses(query)[0]).toBe(wanted);
});
