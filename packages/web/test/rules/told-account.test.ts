import type { operator } from "@curtail/contract";
import { describe, expect, test } from "vitest";
import { chipTime, chipWords, whatWords } from "../../src/pages/operations/dispatch/evidence-words.js";
import { lastByChannel, toldAccounts } from "../../src/rules/told-account.js";

type Evidence = operator.Evidence;

const event = (
  channel: Evidence["channel"],
  what: Evidence["what"],
  { at = "2026-07-01T18:00:00Z", ...detail }: Evidence["detail"] & { readonly at?: string } = {},
): Evidence => ({ at, account_id: "acc_1", channel, what, detail });

const told = (...evidence: readonly Evidence[]) => ({
  accountId: "acc_1",
  name: "Mills",
  sites: 1,
  evidence,
  isNotified: null,
});

test("dispatched accounts come by name, with what is known of each", () => {
  const dispatch = { sites: ["acc_10", "acc_2", "acc_2"].map((account_id) => ({ account_id })) } as never;
  const names = new Map([
    ["acc_10", "Line 10"],
    ["acc_2", "Line 2"],
  ]);
  const read = { ...event("rest", "polled"), account_id: "acc_2" };
  const known = { evidence: [read], names, notNotified: new Set(["acc_10"]) };
  expect(toldAccounts(dispatch, known)).toEqual([
    { accountId: "acc_2", name: "Line 2", sites: 2, evidence: [read], isNotified: true },
    { accountId: "acc_10", name: "Line 10", sites: 1, evidence: [], isNotified: false },
  ]);
  expect(toldAccounts(dispatch, { ...known, notNotified: null }).map(({ isNotified }) => isNotified)).toEqual([
    null,
    null,
  ]);
});

describe("the chips of an account", () => {
  const start_time = "2026-07-01T20:00:00Z";
  const program = { timezone: "America/Chicago" } as operator.Program;
  const at = "2026-07-01T18:05:00Z";

  test("have the time alone on the day of the dispatch, and the date on any other, by the program's zone", () => {
    const chip = (now: string, from = at) => chipTime(from, { start_time, program }, new Date(now));
    expect(chip("2026-07-02T04:59:00Z")).toBe("13:05");
    expect(chip("2026-07-02T05:00:00Z")).toBe("Wed 1 Jul, 13:05");
    expect(chip("2026-07-01T20:00:00Z", "2026-07-01T04:59:00Z")).toBe("Tue 30 Jun, 23:59");
    expect(chip("2027-01-01T12:00:00Z")).toBe("Wed 1 Jul 2026, 13:05");
    const tomorrow = { start_time: "2026-07-02T20:00:00Z", program };
    expect(chipTime(at, tomorrow, new Date(at))).toBe("Wed 1 Jul, 13:05");
  });

  test("leave out what came after the end", () => {
    const read = event("rest", "polled", { modification_number: 0 });
    const late = event("rest", "fetched", { modification_number: 0, after_end: true });
    expect(lastByChannel(told(read, late))).toEqual([read]);
    expect(lastByChannel(told(late))).toEqual([]);
  });

  test("say how the last attempt went", () => {
    const attempt = { number: 2, status: 503, error: "status_503", duration_ms: 12 };
    expect(chipWords(event("webhook", "attempt", attempt))).toBe("attempt 2 answered 503");
  });
});

describe("a line of evidence", () => {
  test("has each attempt with its status or fault and its duration", () => {
    const attempt = { number: 2, url: "https://mills.example/hook", duration_ms: 12, address: null };
    const line = (detail: Evidence["detail"]) => whatWords(event("webhook", "attempt", { ...attempt, ...detail }));
    expect(line({ status: 503, error: "status_503" })).toBe(
      "Attempt 2 at https://mills.example/hook: answered 503 after 12 ms",
    );
    expect(line({ status: null, error: "timeout" })).toBe(
      "Attempt 2 at https://mills.example/hook: no answer in time after 12 ms",
    );
  });

  test("names the people that a mail went to, and those whose address was refused", () => {
    const recipients = [
      { name: "Night shift", email: "night@mills.example", accepted: true },
      { name: "Anna", email: "anna@mills.example", accepted: false },
    ];
    expect(whatWords(event("mail", "mailed", { refused_recipients: 1, recipients }))).toBe(
      "Mail accepted for Night shift <night@mills.example>, Anna <anna@mills.example> (refused by the mail server)",
    );
  });

  test("says that a read came after the end", () => {
    const late = { modification_number: 1, after_end: true };
    expect(whatWords(event("rest", "fetched", late))).toBe("Read the dispatch after the end (change 1)");
  });
});
