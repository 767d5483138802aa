import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ReadingCheck, timeBounds, type UploadedReading } from "../../../src/telemetry/domain/reading.js";
import { plainReader } from "../../../src/telemetry/http/upload-reader.js";

/** Ids of an earlier version are numbers, whose ids in the current one follow from them here. */
const readerOf = (isCurrent: boolean) =>
  plainReader({
    isCurrent,
    nameOf: (name) => (isCurrent ? name : name.replace("site", "facility")),
    idsTaken: async (found) => found.map(({ of, id }) => `${of}_${String(id)}`),
  });
const readPlainUpload = readerOf(true);
const readNumbered = readerOf(false);

// Whether a reading is in the future is checked later, when its upload is recorded.
const NOW = new Date("9999-12-31T23:59:59Z");

const reading = { meter_id: "mtr_1", interval_seconds: 60, timestamp: "2026-07-01T18:01:00Z", kW: 412.5 };
const inShapeB = {
  site_id: "site_1",
  interval_seconds: 300,
  timestamp: "2026-07-01T18:05:00.250Z",
  value: -0.125,
  units: "kWh",
};
const shortest = { kW: 1, site_id: "", interval_seconds: 30, timestamp: "2026-07-01T18:00:00Z" };
const upload = (...telemetry: unknown[]): string => JSON.stringify({ telemetry });

/** The result of the usual parser. */
const theUsualWay = (body: string) => {
  const { telemetry } = JSON.parse(body) as { telemetry: UploadedReading[] };
  const check = new ReadingCheck(telemetry.length, timeBounds(NOW, null));
  for (const each of telemetry) check.add(each);
  return check.result();
};

describe("a plain upload", () => {
  test.each([
    ["of shape A", upload(reading, { ...reading, timestamp: "2026-07-01T18:02:00Z", kW: -3 })],
    ["of shape B", upload(inShapeB, { ...inShapeB, units: "kW" })],
    ["of both shapes and several meters", upload(reading, inShapeB, { ...reading, meter_id: "mtr_2" }, reading)],
    ["of several days and offsets", upload(reading, { ...reading, timestamp: "2026-07-02T00:00:30+02:00" }, reading)],
    [
      "with white space as other languages write it",
      JSON.stringify({ telemetry: [reading, inShapeB] }, null, 2).replaceAll('":', '" : '),
    ],
    ["of numbers with many digits", upload({ ...reading, kW: 0.1 + 0.2 }, { ...reading, kW: 412.49999999999994 })],
    ["without readings", upload()],
    ["of a thousand of the shortest readings there can be", upload(...Array.from({ length: 1000 }, () => shortest))],
  ])("%s is read as it is the usual way", async (_, body) => {
    expect(await readPlainUpload(Buffer.from(body))).toEqual(theUsualWay(body));
  });

  test("reads as the usual way reads it, whatever its readings hold", async () => {
    const timestamp = fc
      .date({ min: new Date(0), max: new Date("2099-12-31"), noInvalidDate: true })
      .map((at) => at.toISOString());
    const short = timestamp.map((text) => `${text.slice(0, 19)}Z`);
    const common = {
      interval_seconds: fc.integer({ min: 1, max: 10 }).map((steps) => steps * 30),
      timestamp: fc.oneof(timestamp, short),
    };
    const power = fc.oneof(
      fc.double({ min: -1e4, max: 1e4, noNaN: true }),
      fc.integer({ min: -1e8, max: 1e8 }).map((parts) => parts / 1e4),
    );
    const id = fc.constantFrom("mtr_1", "mtr_2", "m", "a longer id");
    const any = fc.oneof(
      fc.record({ ...common, meter_id: id, kW: power }),
      fc.record({ ...common, site_id: id, value: power, units: fc.constantFrom("kW", "kWh") }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(any, { maxLength: 20 }), fc.constantFrom(0, 1, 2), async (readings, indent) => {
        const body = JSON.stringify({ telemetry: readings }, null, indent);
        const read = await readPlainUpload(Buffer.from(body));
        // An exponent, which JavaScript writes below 0.000001, is left to the usual parser.
        if (read === null) expect(body).toMatch(/\de-/);
        else expect(read).toEqual(theUsualWay(body));
      }),
    );
  });

  test("never reads a body that was tampered with as anything else than the usual way does", async () => {
    const good = upload(reading, inShapeB);
    const byte = fc.constantFrom(...'"{}[]:,.-+0159eE\\ \n\u0001nuZTak'.split(""));
    const place = fc.integer({ min: 0, max: good.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, byte, fc.constantFrom(0, 1), async (at, by, dropped) => {
        const body = good.slice(0, at) + by + good.slice(at + dropped);
        const read = await readPlainUpload(Buffer.from(body));
        if (read !== null) expect(read).toEqual(theUsualWay(body));
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});

describe("left to the usual way is an upload with", () => {
  test.each([
    ["an escape", upload(reading).replace("mtr_1", "mtr\\u005f1")],
    ["text that is not ASCII", upload({ ...reading, meter_id: "mtr_é" })],
    ["an unknown member", upload({ ...reading, note: "x" })],
    ["an unknown member beside the list", JSON.stringify({ telemetry: [reading], note: 1 })],
    ["a member twice", upload(reading).replace('"kW":412.5', '"kW":412.5,"kW":1')],
    ["an exponent", upload(reading).replace("412.5", "4.125e2")],
    ["null", upload({ ...reading, kW: null })],
    ["a leading zero", upload(reading).replace("412.5", "0412.5")],
    ["a number without digits after its point", upload(reading).replace("412.5", "412.")],
    ["a wrong interval", upload({ ...reading, interval_seconds: 45 })],
    ["an interval beyond 300", upload({ ...reading, interval_seconds: 330 })],
    ["no power", upload({ ...reading, kW: undefined })],
    ["both shapes in one reading", upload({ ...reading, value: 1, units: "kW" })],
    ["meter and site in one reading", upload({ ...reading, site_id: "site_1" })],
    ["an unknown unit", upload({ ...inShapeB, units: "MW" })],
    ["a power beyond the limit", upload({ ...reading, kW: 10_000_001 })],
    ["a day that does not exist", upload({ ...reading, timestamp: "2026-02-30T00:00:00Z" })],
    ["an hour that does not exist", upload(reading, { ...reading, timestamp: "2026-07-01T24:00:00Z" })],
    ["no offset", upload(reading, { ...reading, timestamp: "2026-07-01T18:00:00" })],
    ["a time before 1970", upload({ ...reading, timestamp: "1969-12-31T23:59:59Z" })],
    ["something after its end", `${upload(reading)} x`],
    ["an end too early", upload(reading).slice(0, -1)],
    ["a comma too many", upload(reading).replace("}]", "},]")],
  ])("%s", async (_, body) => {
    expect(await readPlainUpload(Buffer.from(body))).toBeNull();
  });
});

const withIds = (sent: { readonly meter_id?: number; readonly facility_id?: number }) => {
  const { meter_id, facility_id } = sent;
  return meter_id === undefined ? { site_id: `site_${facility_id}` } : { meter_id: `meter_${meter_id}` };
};

describe("a plain upload with numbers for ids", () => {
  const id = fc.integer({ min: 1, max: 9 });
  const source = fc.oneof(
    id.map((n) => ({ meter_id: n })),
    id.map((n) => ({ facility_id: n })),
  );
  const numbered = fc.record({ source, kW: fc.integer({ min: -9, max: 9 }) });
  const rest = { interval_seconds: 60, timestamp: "2026-07-01T18:01:00Z" };

  test("is read as one with the ids that they stand for", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(numbered, { maxLength: 40 }), async (given) => {
        const sent = upload(...given.map(({ source: of, kW }) => ({ ...of, ...rest, kW })));
        const same = upload(...given.map(({ source: of, kW }) => ({ ...withIds(of), ...rest, kW })));
        expect(await readNumbered(Buffer.from(sent))).toEqual(theUsualWay(same));
      }),
    );
  });

  test.each(["0", "-1", "1.5", "2147483648", "1e1", '"1"', "null", "9".repeat(600)])(
    "is left to the full parser if it has %s",
    async (number) => {
      const sent = `{"telemetry":[{"interval_seconds":60,"timestamp":"2026-07-01T18:01:00Z","kW":1,"meter_id":${number}}]}`;
      expect(await readNumbered(Buffer.from(sent))).toBeNull();
    },
  );
});

test("uploads that name the same as one before, or nearly, are read as the usual way reads each", async () => {
  const ids = Array.from({ length: 12 }, (_, nth) => `mtr_${nth}`);
  const changed = fc.record({
    /** Where the list is cut, a reading repeated, or another id put in; beyond its end: nowhere. */
    cut: fc.integer({ min: 0, max: 24 }),
    repeated: fc.integer({ min: 0, max: 24 }),
    other: fc.integer({ min: 1, max: 24 }),
    isSite: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(changed, { minLength: 2, maxLength: 8 }), async (uploads) => {
      const read = readerOf(true);
      for (const { cut, repeated, other, isSite } of uploads) {
        const named = ids.slice(0, Math.max(1, cut)).flatMap((id, nth) => {
          const own = { ...reading, meter_id: nth === other ? "mtr_0" : id, kW: nth };
          const { meter_id, ...rest } = own;
          const sent = isSite && nth === other ? { site_id: meter_id, ...rest } : own;
          return nth === repeated ? [sent, sent] : [sent];
        });
        const body = upload(...named);
        expect(await read(Buffer.from(body))).toEqual(theUsualWay(body));
      }
    }),
    { numRuns: propertyRuns(200) },
  );
});
