import type { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { whatWords } from "../src/pages/operations/dispatch/evidence-words.js";
import { evidenceDetail } from "../src/parts/evidence-words.js";

type Evidence = operator.Evidence;

const entry = (what: Evidence["what"], detail: Evidence["detail"]): Evidence => ({
  at: "2026-07-01T17:00:00Z",
  account_id: "acc_1",
  channel: "openadr3",
  what,
  detail: { client_name: "Store 12", modification_number: 1, operation: "UPDATE", ...detail },
});

test("evidence of OpenADR 3 names the VEN and says what it read, accepted and reported", () => {
  expect(whatWords(entry("notified", {}))).toBe("Visible to VEN Store 12 (change 1)");
  expect(whatWords(entry("polled", { operation: "DELETE" }))).toBe(
    "VEN Store 12 polled: the event was deleted (change 1)",
  );
  const url = "https://gateway.example/oadr";
  expect(whatWords(entry("delivered", { url }))).toBe(`Delivered to VEN Store 12 at ${url} (change 1)`);
  expect(whatWords(entry("failed", { url, reason: "attempts_failed" }))).toBe(
    `Failed for VEN Store 12 at ${url}: every attempt failed`,
  );
  expect(whatWords(entry("acknowledged", { operating_state: "RUNNING_CURTAILED", opt: "optIn" }))).toBe(
    "VEN Store 12 reported RUNNING_CURTAILED (change 1), opted in",
  );
  expect(whatWords(entry("failed", { operating_state: "ERROR", reason: "ven_error" }))).toBe(
    "VEN Store 12 reported ERROR: the VEN answered with an error",
  );
  expect(evidenceDetail(entry("acknowledged", { operating_state: "IDLE_OPTED_OUT", opt: "optOut" }))).toBe(
    "Store 12, change 1, opted out, IDLE_OPTED_OUT",
  );
});

const posted = (what: Evidence["what"], detail: Evidence["detail"]): Evidence => ({
  ...entry(what, { name: "Control room", ...detail }),
  channel: "chat",
});

test("evidence of a message to an address names the address", () => {
  expect(whatWords(posted("notified", {}))).toBe("Chat message to Control room is due");
  expect(whatWords(posted("attempt", { number: 2, status: null, error: "timeout" }))).toMatch(
    /^Attempt 2 at Control room: /,
  );
  expect(whatWords(posted("delivered", {}))).toBe("Chat message to Control room accepted (change 1)");
  expect(whatWords(posted("failed", { reason: "address_refused" }))).toBe(
    "Chat message to Control room failed: the receiver refused the message",
  );
});
