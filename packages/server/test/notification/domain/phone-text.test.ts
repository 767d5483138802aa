import { describe, expect, test } from "vitest";
import type { Dispatch } from "../../../src/dispatch/domain/dispatch.js";
import { handoverDelayAfterMs } from "../../../src/notification/domain/handover.js";
import { gatewayIdOf } from "../../../src/notification/domain/phone-message.js";
import { phoneText, SMS_CHARACTERS } from "../../../src/notification/domain/phone-text.js";
import { serviceWords } from "../../../src/platform/words.js";
import { dispatchWith } from "../../support/domain-forms.js";

const at = (text: string): Date => new Date(text);

const now = at("2026-07-14T20:05:00Z");
const textOf = (more: Partial<Dispatch> = {}, event: "dispatch.create" | "dispatch.update" = "dispatch.create") =>
  phoneText(serviceWords("en"), { dispatch: dispatchWith(more), event, now, service: "Curtail" }, "sms");
const textBy = (service: string, more: Partial<Dispatch> = {}) =>
  phoneText(serviceWords("en"), { dispatch: dispatchWith(more), event: "dispatch.create", now, service }, "sms");

const programNamed = (name: string) => ({ ...dispatchWith().program, name });

describe("an SMS", () => {
  test("says what to reduce and when, in the program's time", () => {
    expect(textOf()).toBe("Curtail: reduce 940 kW from Tue 14 Jul 17:00 CDT to 18:30 CDT. Summer Peak");
    expect(textOf({}, "dispatch.update")).toBe(
      "Curtail: CHANGED: reduce 940 kW from Tue 14 Jul 17:00 CDT to 18:30 CDT. Summer Peak",
    );
  });

  test("says that a dispatch has no end, ends on another day, is a test", () => {
    expect(textOf({ end: null })).toContain("until further notice");
    expect(textOf({ end: at("2026-07-15T06:00:00Z") })).toContain("to Wed 15 Jul 01:00 CDT");
    expect(textOf({ test: true })).toMatch(/^Curtail: TEST, no emergency\. reduce/);
  });

  test("says when a dispatch was cancelled, voided or is over", () => {
    expect(textOf({ authorized: false })).toBe(
      "Curtail: CANCELLED, stop reducing. It was to start Tue 14 Jul 17:00 CDT. Summer Peak",
    );
    expect(textOf({ authorized: false, voidReason: "mistake" })).toMatch(/VOIDED.*no longer counts/);
    expect(textOf({ start: at("2026-07-14T18:00:00Z"), end: at("2026-07-14T20:00:00Z") })).toMatch(
      /ENDED, stop reducing\. It started Tue 14 Jul 13:00 CDT\./,
    );
  });

  test("names the zone of each hour where the clock changes", () => {
    const times = { start: at("2026-11-01T06:30:00Z"), end: at("2026-11-01T07:30:00Z") };
    expect(textOf(times)).toContain("from Sun 1 Nov 01:30 CDT to 01:30 CST");
  });

  test("fits one message of the alphabet that phones share, however long the name", () => {
    const name = "Été · “Spitzenlast”—日本 €{x}".repeat(20);
    for (const more of [{}, { end: null, test: true }, { end: at("2026-07-16T06:00:00Z") }, { authorized: false }]) {
      const text = textOf({ ...more, program: programNamed(name) });
      expect(text.length).toBe(SMS_CHARACTERS);
      expect(text).toMatch(/^[A-Za-z0-9 @$!"#%&'()*+,\-./:;<=>?_]*$/);
      expect(text).toContain("Ete - ");
      expect(text).toMatch(/\.\.\.$/);
    }
  });

  test("begins with the name of the service in the letters that it has, or without it", () => {
    expect(textBy("Stadtwerke Köln")).toMatch(/^Stadtwerke Koln: reduce 940 kW/);
    expect(textBy("⚡ Ørsted")).toMatch(/^rsted: reduce/);
    expect(textBy("طاقة")).toMatch(/^reduce 940 kW/);
  });

  test("says what is to be done in full, however long the name of the service", () => {
    const open = { start: at("2026-07-15T22:00:00Z"), end: at("2026-07-17T06:00:00Z"), test: true };
    for (const service of ["N".repeat(40), "名".repeat(40)]) {
      const text = textBy(service, { ...open, program: programNamed("P".repeat(200)) });
      expect(text).toContain("from Wed 15 Jul 17:00 CDT to Fri 17 Jul 01:00 CDT. PPP");
      expect(text.length).toBeLessThanOrEqual(SMS_CHARACTERS);
    }
  });
});

test("a call has the whole name and speaks the unit", () => {
  const program = programNamed("Été ".repeat(100).trim());
  const content = {
    dispatch: dispatchWith({ program }),
    event: "dispatch.create" as const,
    now,
    service: "Curtail",
  };
  expect(phoneText(serviceWords("en"), content, "voice")).toContain("reduce 940 kilowatts from");
  expect(phoneText(serviceWords("en"), content, "voice")).toContain(program.name);
});

test("a message is offered again after growing delays, for six hours", () => {
  expect([1, 2, 3, 4, 5, 100].map((failures) => handoverDelayAfterMs(failures, 0))).toEqual([
    5000, 15_000, 30_000, 60_000, 120_000, 120_000,
  ]);
  expect(handoverDelayAfterMs(1, 6 * 3_600_000 - 1)).toBe(5000);
  expect(handoverDelayAfterMs(1, 6 * 3_600_000)).toBeNull();
});

test("a gateway's id is taken from its answer, if it has one", () => {
  expect(gatewayIdOf('{"id":"SM1","more":true}')).toBe("SM1");
  expect(gatewayIdOf('{"id":17}')).toBe("17");
  expect(gatewayIdOf(`{"id":"${"x".repeat(500)}"}`)).toHaveLength(200);
  for (const answer of ["", "ok", "null", "[]", '{"id":null}', '{"id":""}', '{"id":{}}'])
    expect(gatewayIdOf(answer)).toBeNull();
});
