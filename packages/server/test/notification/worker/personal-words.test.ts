import { describe, expect, test } from "vitest";
import type { Dispatch } from "../../../src/dispatch/domain/dispatch.js";
import { personalWords } from "../../../src/notification/worker/personal-words.js";
import { ttlSecondsOf } from "../../../src/notification/worker/send-personal.js";
import { serviceWords } from "../../../src/platform/words.js";
import { dispatchSite, dispatchWith } from "../../support/domain-forms.js";

const site = dispatchSite({ name: "Harbor Cold Storage" });

const now = new Date("2026-07-01T20:00:00Z");

const dispatch = dispatchWith({
  start: new Date("2026-07-01T22:00:00Z"),
  end: new Date("2026-07-02T00:30:00Z"),
  createdAt: now,
  sites: [site],
});

const participant = { accountId: "acc_1", timezone: "America/Chicago" };
const operator = { accountId: null, timezone: "America/Chicago" };

const about = (changes: Partial<Dispatch> = {}, event: "dispatch.create" | "dispatch.update" = "dispatch.create") =>
  ({ of: "dispatch", dispatchId: "dis_1", event, dispatch: { ...dispatch, ...changes } }) as const;

const title = (
  changes?: Partial<Dispatch>,
  event?: "dispatch.update",
  reader = participant as typeof participant | typeof operator,
) => personalWords(serviceWords("en"), about(changes, event), reader, now).title;

describe("a notice to a person", () => {
  test("says what to do, when and where, in the person's time zone", () => {
    expect(personalWords(serviceWords("en"), about(), participant, now)).toEqual({
      title: "Reduce 940 kW from 17:00 to 19:30",
      body: "Harbor Cold Storage · Summer Peak",
      path: "/dashboard/dispatches/dis_1",
    });
    expect(personalWords(serviceWords("en"), about(), { ...participant, timezone: "Europe/Berlin" }, now).title).toBe(
      "Reduce 940 kW from 00:00 on Thu 2 Jul to 02:30",
    );
  });

  test("names the day of another day, an open end, several sites and what is not agreed in kW", () => {
    expect(title({ start: new Date("2026-07-03T22:00:00Z"), end: null })).toBe(
      "Reduce 940 kW from 17:00 on Fri 3 Jul until further notice",
    );
    expect(title({ sites: [{ ...site, commitmentKw: null }] })).toBe("Reduce load as agreed from 17:00 to 19:30");
    expect(personalWords(serviceWords("en"), about({ sites: [site, site, site] }), participant, now).body).toBe(
      "3 sites · Summer Peak",
    );
  });

  test("of a change says what became of the dispatch", () => {
    expect(title({}, "dispatch.update")).toBe("Changed: Reduce 940 kW from 17:00 to 19:30");
    expect(title({ authorized: false }, "dispatch.update")).toBe("Cancelled: stop reducing");
    expect(title({ end: new Date("2026-07-01T19:00:00Z") }, "dispatch.update")).toBe("Ended: stop reducing");
    expect(title({ authorized: false, voidReason: "twice" }, "dispatch.update")).toBe(
      "A past dispatch was voided; you need not do anything",
    );
    expect(title({ test: true })).toBe("TEST: Reduce 940 kW from 17:00 to 19:30");
  });

  test("to an operator names the dispatch, and never what to do", () => {
    expect(title({}, undefined, operator)).toBe("Dispatch: 940 kW from 17:00 to 19:30");
    expect(title({ authorized: false }, "dispatch.update", operator)).toBe("Dispatch cancelled");
  });

  test("of an alarm names its account and program, without the alarm's own words", () => {
    const alarm = {
      of: "alarm",
      alarm: { id: "alm_1", kind: "ven_silent", accountName: "Harbor Foods", programName: "Peak", isOver: false },
    } as const;
    expect(personalWords(serviceWords("en"), alarm, operator, now)).toEqual({
      title: "Alarm: a VEN has stopped polling",
      body: "Harbor Foods · Peak",
      path: "/operations/alarms",
    });
    expect(personalWords(serviceWords("en"), alarm, participant, now).path).toBe("/dashboard/connect");
  });

  test("is cut to what a phone shows, however long the names are", () => {
    const { body } = personalWords(
      serviceWords("en"),
      about({ sites: [{ ...site, name: "x".repeat(5000) }] }),
      participant,
      now,
    );
    expect(body).toHaveLength(240);
  });

  test("is kept by a push service until the dispatch is over, for a day at most", () => {
    expect(ttlSecondsOf(about(), now)).toBe(4.5 * 3600);
    expect(ttlSecondsOf(about({ end: null }), now)).toBe(86_400);
    expect(ttlSecondsOf(about({ end: now }), now)).toBe(900);
  });
});
