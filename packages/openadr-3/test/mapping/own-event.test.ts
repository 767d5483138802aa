import { describe, expect, test } from "vitest";
import type { EventRequest } from "../../src/contract/event.js";
import { endedEvent, ownEvent, type TimedValue } from "../../src/mapping/own-event.js";
import { transpiresAt } from "../../src/rules/active.js";

const at = (text: string): Date => new Date(`2026-07-01T${text}:00Z`);

const prices = { payloadType: "PRICE", units: "KWH", currency: "EUR" };
const priced = (...intervals: readonly TimedValue[]): EventRequest =>
  ownEvent({ programId: "oap_1", name: null, priority: null, targets: [], payload: prices, intervals });

const hourly = priced(
  { start: at("10:00"), end: at("11:00"), value: 0.1 },
  { start: at("11:00"), end: at("12:00"), value: 0.2 },
  { start: at("12:00"), end: at("13:00"), value: -0.05 },
);

const told = (id: number, value: number | string, type = "PRICE") => ({ id, payloads: [{ type, values: [value] }] });

describe("an event of the operator's own", () => {
  test("tells the length of its intervals once if it is the same for all", () => {
    expect(hourly).toEqual({
      programID: "oap_1",
      payloadDescriptors: [
        { objectType: "EVENT_PAYLOAD_DESCRIPTOR", payloadType: "PRICE", units: "KWH", currency: "EUR" },
      ],
      intervalPeriod: { start: "2026-07-01T10:00:00Z", duration: "PT1H" },
      intervals: [told(0, 0.1), told(1, 0.2), told(2, -0.05)],
    });
  });

  test("tells each length if they differ, and the last may have no end", () => {
    const { intervals } = priced(
      { start: at("10:00"), end: at("10:30"), value: 0.1 },
      { start: at("10:30"), end: null, value: 0.2 },
    );
    expect(intervals).toEqual([
      { ...told(0, 0.1), intervalPeriod: { start: "2026-07-01T10:00:00Z", duration: "PT30M" } },
      { ...told(1, 0.2), intervalPeriod: { start: "2026-07-01T10:30:00Z", duration: "P9999Y" } },
    ]);
  });

  test("has a name, a priority and targets if it is given them, and values without units none", () => {
    const payload = { payloadType: "ALERT_FIRE", units: null, currency: null };
    const intervals = [{ start: at("10:00"), end: null, value: "Fire" }];
    expect(
      ownEvent({ programId: "oap_1", name: "Fire", priority: 0, targets: ["acc_1"], payload, intervals }),
    ).toMatchObject({
      eventName: "Fire",
      priority: 0,
      targets: ["acc_1"],
      payloadDescriptors: [{ objectType: "EVENT_PAYLOAD_DESCRIPTOR", payloadType: "ALERT_FIRE" }],
      intervals: [told(0, "Fire", "ALERT_FIRE")],
    });
  });
});

const ended = (event: EventRequest, when: Date) => endedEvent(event, at("00:00"), when);

describe("an event that ends early", () => {
  test("keeps the intervals that were over, and cuts the one in force", () => {
    const after = ended(hourly, at("11:30"));
    expect(after?.intervals).toEqual([
      told(0, 0.1),
      { ...told(1, 0.2), intervalPeriod: { start: "2026-07-01T11:00:00Z", duration: "PT30M" } },
    ]);
    expect(after && transpiresAt(after)).toEqual(at("11:30"));
  });

  test("ends at the border of two intervals without a cut", () => {
    const after = ended(hourly, at("11:00"));
    expect(after?.intervals).toEqual([told(0, 0.1)]);
    expect(after && transpiresAt(after)).toEqual(at("11:00"));
  });

  test("ends though it was endless, began with the request, or at random", () => {
    const event: EventRequest = {
      programID: "oap_1",
      intervalPeriod: { start: "0001-01-01T00:00:00Z", duration: "P9999Y", randomizeStart: "PT10M" },
      intervals: [told(4, 7)],
    };
    const after = ended(event, at("02:00"));
    expect(after).toEqual({
      programID: "oap_1",
      intervalPeriod: { start: "0001-01-01T00:00:00Z", duration: "P9999Y" },
      intervals: [{ ...told(4, 7), intervalPeriod: { start: "2026-07-01T00:00:00Z", duration: "PT2H" } }],
    });
    expect(after && transpiresAt(after)).toEqual(at("02:00"));
  });

  test("keeps its intervals if it repeats them, and repeats them no longer", () => {
    const after = ended({ ...hourly, duration: "P30D" }, at("15:30"));
    expect(after).toEqual({ ...hourly, duration: "PT5H30M" });
    expect(after && transpiresAt(after)).toEqual(at("15:30"));
  });

  test("cannot end before it begins, or if it does not tell when its intervals are", () => {
    expect(ended(hourly, at("10:00"))).toBeNull();
    const months = [told(0, 1), told(1, 2)];
    const unknown = {
      programID: "oap_1",
      intervalPeriod: { start: "2026-07-01T00:00:00Z", duration: "P1M" },
      intervals: months,
    };
    expect(ended(unknown, at("10:00"))).toBeNull();
    expect(ended({ programID: "oap_1" }, at("10:00"))).toBeNull();
  });
});
