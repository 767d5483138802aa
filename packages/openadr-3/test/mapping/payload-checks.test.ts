import { describe, expect, test } from "vitest";
import type { EventRequest } from "../../src/contract/event.js";
import type { ValuesMap } from "../../src/contract/values-map.js";
import { faultsOfOwnEvent, type OwnEventContext, standingTypesOf } from "../../src/mapping/payload-checks.js";

const context = (given: Partial<OwnEventContext> = {}): OwnEventContext => ({
  programDescriptors: [],
  standingTypes: new Set(),
  ...given,
});

const describes = (payloadType: string, given: { units?: string; currency?: string }) => ({
  objectType: "EVENT_PAYLOAD_DESCRIPTOR" as const,
  payloadType,
  ...given,
});
const inEuros = describes("PRICE", { units: "KWH", currency: "EUR" });

const event = (payloads: ValuesMap[], given: Partial<EventRequest> = {}): EventRequest => ({
  programID: "prog_1",
  intervalPeriod: { start: "2026-07-01T00:00:00Z", duration: "PT1H" },
  intervals: [{ id: 0, payloads }],
  ...given,
});

const price = (...values: ValuesMap["values"]): ValuesMap => ({ type: "PRICE", values });
const priced = (payloads: ValuesMap[], given: Partial<EventRequest> = {}) =>
  faultsOfOwnEvent(event(payloads, { payloadDescriptors: [inEuros], ...given }), context());

test("a day of prices is accepted", () => {
  const intervals = Array.from({ length: 24 }, (_, id) => ({ id, payloads: [price(0.1 + id / 100)] }));
  expect(priced([], { intervals })).toEqual([]);
});

test("several prices in one interval share it", () => {
  expect(priced([price(0.17, 0.03, -0.11)])).toEqual([]);
});

test("emissions are at least 0 and in g/kWh", () => {
  const payloadDescriptors = [describes("GHG", { units: "GHG" })];
  expect(faultsOfOwnEvent(event([{ type: "GHG", values: [312] }], { payloadDescriptors }), context())).toEqual([]);
  expect(faultsOfOwnEvent(event([{ type: "GHG", values: [-1] }], { payloadDescriptors }), context())).toEqual([
    "intervals[0].payloads[0].values[0] is -1; give 0 or more",
  ]);
});

test("an event that only asks for reports needs no intervals; one that does nothing is refused", () => {
  const reportDescriptors = [{ payloadType: "USAGE" }];
  expect(faultsOfOwnEvent({ programID: "prog_1", reportDescriptors }, context())).toEqual([]);
  expect(faultsOfOwnEvent({ programID: "prog_1" }, context())).toEqual([
    "intervals is empty and so is reportDescriptors; give the values of the event, or what it asks for",
  ]);
});

describe("values", () => {
  test.each([
    [price("0.17"), 'payloads[0].values[0] is "0.17"; give a number'],
    [price(), "payloads[0].values is empty; give a value"],
    [{ type: "SIMPLE", values: [4] }, "payloads[0].values[0] is 4; give 3 or less"],
    [{ type: "SIMPLE", values: [1.5] }, "payloads[0].values[0] is 1.5; give a whole number"],
    [{ type: "SIMPLE", values: [1, 2] }, "payloads[0].values has 2 values; SIMPLE has one"],
    [{ type: "ALERT_FIRE", values: [""] }, 'payloads[0].values[0] is ""; give a text of 1 to 1000 characters'],
    [{ type: "CURVE", values: [1] }, "payloads[0].values[0] is 1; give a point with x and y"],
    [{ type: "PRISE", values: [1] }, 'payloads[0].type is "PRISE", which is no event payload of OpenADR 3.1'],
    [{ type: "toString", values: [1] }, 'payloads[0].type is "toString", which is no event payload of OpenADR 3.1'],
  ])("%j is refused", (payload, fault) => {
    expect(priced([payload])).toEqual([`intervals[0].${fault}`]);
  });

  test("a payload twice in an interval, an empty interval and the same id twice are refused", () => {
    expect(priced([price(1), price(2)])).toEqual(["intervals[0].payloads[1].type is PRICE again; give it once"]);
    const intervals = [
      { id: 3, payloads: [price(1)] },
      { id: 3, payloads: [] },
    ];
    expect(priced([], { intervals })).toEqual([
      "intervals[1].id is 3 again; give each interval its own",
      "intervals[1].payloads is empty; give what holds in this interval",
    ]);
  });
});

const faultsOf = (given: Partial<EventRequest>) => faultsOfOwnEvent(event([price(1)], given), context());

describe("units", () => {
  test("a price without units or currency is understood by nobody", () => {
    expect(faultsOf({})).toEqual(["payloadDescriptors has none of PRICE; give its units, one of KWH, KVAH, THERMS"]);
    expect(faultsOf({ payloadDescriptors: [describes("PRICE", { units: "KW" })] })).toEqual([
      'payloadDescriptors[0].units is "KW"; give one of KWH, KVAH, THERMS for PRICE',
      "payloadDescriptors[0].currency is missing; give a code of ISO 4217, for example EUR",
    ]);
    expect(faultsOf({ payloadDescriptors: [describes("PRICE", { units: "KWH", currency: "euro" })] })).toEqual([
      'payloadDescriptors[0].currency is "euro"; give a code of ISO 4217, for example EUR',
    ]);
  });

  test("those of the program apply where the event has none", () => {
    expect(faultsOfOwnEvent(event([price(1)]), context({ programDescriptors: [inEuros] }))).toEqual([]);
    expect(
      faultsOfOwnEvent(event([price(1)]), context({ programDescriptors: [describes("PRICE", { units: "KWH" })] })),
    ).toEqual(["the program's descriptor of PRICE.currency is missing; give a code of ISO 4217, for example EUR"]);
  });
});

describe("times", () => {
  test("the first interval needs a start, and each one a length", () => {
    expect(priced([price(1)], { intervalPeriod: { duration: "PT1H" } })).toEqual([
      "intervals[0].intervalPeriod has no start; give one there, or for the event",
    ]);
    expect(priced([price(1)], { intervalPeriod: { start: "2026-07-01T00:00:00Z" } })).toEqual([
      "intervals[0].intervalPeriod.duration is missing; give a length such as PT1H, or P9999Y",
    ]);
    expect(priced([price(1)], { intervalPeriod: { start: "0001-01-01", duration: "PT0S" } })).toEqual([
      'intervals[0].intervalPeriod.duration is "PT0S"; give a length such as PT1H, or P9999Y',
    ]);
    expect(priced([price(1)], { intervalPeriod: { start: "2026-02-30T00:00:00Z", duration: "P1M" } })).toEqual([
      'intervalPeriod.start is "2026-02-30T00:00:00Z"; give RFC 3339 with an offset, for example 2026-07-01T18:00:00Z',
    ]);
  });

  test("nothing follows an endless interval, but one with a start of its own may come later", () => {
    const endless = { id: 0, intervalPeriod: { duration: "P9999Y" }, payloads: [price(1)] };
    expect(priced([], { intervals: [endless, { id: 1, payloads: [price(2)] }] })).toEqual([
      "intervals[0].intervalPeriod.duration is endless, so that intervals[1] never begins; give it a start or this one a length",
    ]);
    const later = { id: 1, intervalPeriod: { start: "2026-08-01T00:00:00Z" }, payloads: [price(2)] };
    expect(priced([], { intervals: [endless, later] })).toEqual([]);
  });
});

describe("capacity limits", () => {
  const limit = { type: "IMPORT_CAPACITY_LIMIT", values: [10] };
  const payloadDescriptors = ["IMPORT_CAPACITY_LIMIT", "IMPORT_CAPACITY_SUBSCRIPTION"].map((type) =>
    describes(type, { units: "KW" }),
  );

  test("need a safe mode: a capacity that never ends", () => {
    expect(faultsOfOwnEvent(event([limit], { payloadDescriptors }), context())).toEqual([
      "IMPORT_CAPACITY_LIMIT has no safe mode; first write an event with IMPORT_CAPACITY_SUBSCRIPTION that never ends, for the same targets",
    ]);
    const standingTypes = new Set(["IMPORT_CAPACITY_SUBSCRIPTION"]);
    expect(faultsOfOwnEvent(event([limit], { payloadDescriptors }), context({ standingTypes }))).toEqual([]);
  });

  test("may bring their own, or be without end themselves", () => {
    const safe = {
      id: 1,
      intervalPeriod: { start: "0001-01-01", duration: "P9999Y" },
      payloads: [{ type: "IMPORT_CAPACITY_SUBSCRIPTION", values: [4] }],
    };
    const intervals = [{ id: 0, payloads: [limit] }, safe];
    expect(faultsOfOwnEvent(event([], { payloadDescriptors, intervals }), context())).toEqual([]);
    const intervalPeriod = { start: "2026-07-01T00:00:00Z", duration: "P9999Y" };
    expect(faultsOfOwnEvent(event([limit], { payloadDescriptors, intervalPeriod }), context())).toEqual([]);
  });

  test("that of import is no safe mode of export", () => {
    const exported = { type: "EXPORT_CAPACITY_LIMIT", values: [0] };
    const standingTypes = new Set(["IMPORT_CAPACITY_SUBSCRIPTION"]);
    const descriptors = [describes("EXPORT_CAPACITY_LIMIT", { units: "KW" })];
    expect(
      faultsOfOwnEvent(event([exported], { payloadDescriptors: descriptors }), context({ standingTypes })),
    ).toHaveLength(1);
  });

  test("an event whose intervals repeat for ever never ends", () => {
    expect([...standingTypesOf(event([limit], { duration: "P9999Y" }))]).toEqual(["IMPORT_CAPACITY_LIMIT"]);
    expect([...standingTypesOf(event([limit]))]).toEqual([]);
  });
});
