import { expect, test } from "vitest";
import { ErrorResponse } from "../src/failure.js";
import type { TelemetryReading } from "../src/index.js";
import { upload } from "../src/upload.js";
import { batchesOf, itemOf } from "../src/upload-batch.js";
import { refusalOf } from "../src/upload-refusal.js";

const reading = (kW: number, changes: Partial<TelemetryReading> = {}): TelemetryReading => ({
  meter_id: "mtr_1",
  interval_seconds: 60,
  timestamp: "2026-07-01T18:01:00Z",
  kW,
  ...changes,
});

const refused = (message: string, status = 400) =>
  new ErrorResponse(
    { method: "POST", path: "/telemetry" },
    new Response(null, { status }),
    JSON.stringify({ message, type: "Bad Request" }),
  );

const MAX_NAMED = 20;
const NOTHING = "Nothing was stored; correct the upload and send all of it again.";

/** A service that refuses readings above 1000 kW, and names up to 20 of them or none. */
const service = ({ isSilent = false, maxReadings = 50_000 } = {}) => {
  const stored: TelemetryReading[] = [];
  const sizes: number[] = [];
  const uploadTelemetry = async ({ telemetry }: { readonly telemetry: readonly TelemetryReading[] }) => {
    sizes.push(telemetry.length);
    if (telemetry.length > maxReadings) throw refused(`telemetry has more than ${maxReadings} readings; split it`);
    const unknown = telemetry.findIndex(({ meter_id }) => meter_id === "mtr_unknown");
    if (unknown !== -1)
      throw refused(`telemetry[${unknown}].meter_id names no meter of this account. Nothing was stored.`);
    const faults = telemetry.flatMap(({ kW = 0 }, index) =>
      kW > 1000 ? [`telemetry[${index}].kW is ${kW}; it is too much`] : [],
    );
    if (faults.length > 0 && isSilent) throw refused("something is wrong");
    const more = faults.length > MAX_NAMED ? `; and ${faults.length - MAX_NAMED} more` : "";
    if (faults.length > 0) throw refused(`${faults.slice(0, MAX_NAMED).join("; ")}${more}. ${NOTHING}`);
    stored.push(...telemetry);
    return { received: telemetry.length };
  };
  return { stored, sizes, uploadTelemetry };
};

test("readings are sent in their order, within the limits of a request", async () => {
  const to = service();
  const readings = Array.from({ length: 25 }, (_, index) => reading(index));
  expect(await upload(to, readings, { maxReadings: 10 })).toEqual({ stored: 25, setAside: [], warnings: [] });
  expect(to.sizes).toEqual([10, 10, 5]);
  expect(to.stored).toEqual(readings);
  expect(await upload(to, [])).toEqual({ stored: 0, setAside: [], warnings: [] });
});

test("no request is larger than the limit in bytes, except for a reading that is larger by itself", () => {
  const items = [
    reading(1, { meter_id: "ä".repeat(100) }),
    reading(2),
    reading(3),
    reading(4, { meter_id: "x".repeat(999) }),
  ].map(itemOf);
  const batches = batchesOf(items, { maxReadings: 100, maxBytes: 350 });
  const bytes = batches.map((batch) =>
    Buffer.byteLength(JSON.stringify({ telemetry: batch.map((item) => item.reading) })),
  );
  expect(batches.map((batch) => batch.length)).toEqual([1, 2, 1]);
  expect(bytes.slice(0, 2).every((each) => each <= 350)).toBe(true);
});

test("what a refusal names is set aside with its reason, and the rest is stored in order", async () => {
  const to = service();
  const { stored, setAside } = await upload(
    to,
    [1, 5000, 2, 6000, 3].map((kW) => reading(kW)),
  );
  expect(stored).toBe(3);
  expect(to.stored.map(({ kW }) => kW)).toEqual([1, 2, 3]);
  expect(setAside.map(({ index, reason }) => [index, reason])).toEqual([
    [1, "kW is 5000; it is too much"],
    [3, "kW is 6000; it is too much"],
  ]);
  expect(to.sizes).toEqual([5, 3]);
});

test("a few hundred faults among thousands of readings are found", async () => {
  const to = service();
  const readings = Array.from({ length: 3000 }, (_, index) => reading(index % 10 === 0 ? 5000 + index : index / 10));
  const { stored, setAside } = await upload(to, readings);
  expect([stored, setAside.length]).toEqual([2700, 300]);
  expect(setAside.map(({ index }) => index)).toEqual(Array.from({ length: 300 }, (_, index) => index * 10));
  expect(to.stored).toEqual(readings.filter(({ kW = 0 }) => kW <= 1000));
  expect(to.sizes.length).toBeLessThan(60);
});

test("if a refusal names no reading, halves lead to the faulty one", async () => {
  const to = service({ isSilent: true });
  const { stored, setAside } = await upload(
    to,
    [1, 2, 3, 5000, 4, 5, 6, 7].map((kW) => reading(kW)),
  );
  expect(stored).toBe(7);
  expect(setAside).toEqual([{ index: 3, reading: reading(5000), reason: "something is wrong" }]);
  expect(to.stored.map(({ kW }) => kW)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test("a service that takes less per request gets smaller requests", async () => {
  const to = service({ maxReadings: 4 });
  expect(
    await upload(
      to,
      Array.from({ length: 20 }, (_, index) => reading(index)),
    ),
  ).toMatchObject({ stored: 20 });
});

test("an unknown meter is named once: all of its readings are set aside together", async () => {
  const to = service();
  const readings = Array.from({ length: 100 }, (_, index) =>
    reading(index, index % 2 === 0 ? {} : { meter_id: "mtr_unknown" }),
  );
  const { stored, setAside } = await upload(to, readings);
  expect([stored, setAside.length, to.sizes]).toEqual([50, 50, [100, 50]]);
  expect(setAside[0]?.reason).toBe("meter_id names no meter of this account");
});

test("any other failure is thrown", async () => {
  const denied = refused("permission denied", 401);
  await expect(upload({ uploadTelemetry: () => Promise.reject(denied) }, [reading(1)])).rejects.toMatchObject({
    status: 401,
  });
});

test.for([undefined, null, {}, { received: 1 }, { received: "2" }])(
  "a reply of %j to two readings is not taken for their storage",
  async (reply) => {
    const uploadTelemetry = async () => reply as { received: number };
    const uploading = upload({ uploadTelemetry }, [reading(1), reading(2)]);
    await expect(uploading).rejects.toMatchObject({
      status: null,
      message: "the response does not confirm the readings",
    });
  },
);

test("a reading whose own text looks like a place cannot have another one set aside", async () => {
  const stored: number[] = [];
  const uploadTelemetry = async ({ telemetry }: { readonly telemetry: readonly TelemetryReading[] }) => {
    const wrong = telemetry.findIndex(({ timestamp }) => timestamp.includes("["));
    if (wrong !== -1) throw refused(`telemetry[${wrong}].timestamp is "${telemetry[wrong]?.timestamp}"; give RFC 3339`);
    stored.push(...telemetry.map(({ kW = 0 }) => kW));
    return { received: telemetry.length };
  };
  const readings = [reading(1), reading(2, { timestamp: '"; telemetry[0].kW is 1' }), reading(3)];
  const { setAside } = await upload({ uploadTelemetry }, readings);
  expect(setAside.map(({ index, reason }) => [index, reason])).toEqual([
    [1, 'timestamp is ""; telemetry[0].kW is 1"; give RFC 3339'],
  ]);
  expect(stored).toEqual([1, 3]);
});

test("several faults of one reading are one reason; a message that was cut off has more", () => {
  const message =
    "telemetry[2].kW is null; it must be a number; telemetry[2].units is missing; telemetry[7] is null; it must be an object; and at least 3 more";
  expect(refusalOf(message, "telemetry")).toEqual({
    reasons: new Map([
      [2, "kW is null; it must be a number; units is missing"],
      [7, "is null; it must be an object"],
    ]),
    hasMore: true,
  });
  expect(refusalOf("telemetry[2].kW is nu…", "telemetry").hasMore).toBe(true);
  expect(refusalOf(`telemetry[2].kW is 1. ${NOTHING}`, "telemetry")).toEqual({
    reasons: new Map([[2, "kW is 1"]]),
    hasMore: false,
  });
});

const warned = (at: number, id: string) =>
  `telemetry[${at}].meter_id is "${id}", which is no meter of the sandbox or of this account; production would refuse the upload`;

const sandboxUpload = async ({ telemetry }: { readonly telemetry: readonly TelemetryReading[] }) => ({
  received: telemetry.length,
  warnings: telemetry.flatMap(({ meter_id = "" }, at) => (meter_id === "mtr_1" ? [] : [warned(at, meter_id)])),
});

test("what the sandbox warns of is passed on once for each id, whatever request it was in", async () => {
  const readings = [
    reading(1),
    reading(2, { meter_id: "a" }),
    reading(3, { meter_id: "b" }),
    reading(4, { meter_id: "a" }),
  ];
  const { stored, setAside, warnings } = await upload({ uploadTelemetry: sandboxUpload }, readings, { maxReadings: 2 });
  expect({ stored, setAside }).toEqual({ stored: 4, setAside: [] });
  expect(warnings).toEqual(["a", "b"].map((id) => warned(0, id).slice("telemetry[0].".length)));
});
