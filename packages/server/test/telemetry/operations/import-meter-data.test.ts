import { expect, test } from "vitest";
import { readMeterDataFiles } from "../../../src/app/wire/meter-data-thread.js";
import type { Refusal } from "../../../src/platform/refusal.js";
import { importMeterData } from "../../../src/telemetry/operations/import-meter-data.js";
import type { MeterDataPorts } from "../../../src/telemetry/operations/import-ports.js";
import { fakeClock } from "../../support/fake-clock.js";

const meter = { id: "mtr_1", name: "main", assetType: "load" } as const;
const site = { id: "site_1", accountId: "acc_1", meters: [meter] };

/** Ports of an import whose database takes so many seconds for each part; what happened is listed. */
const slowPorts = (seconds: number, happened: string[]): MeterDataPorts => {
  const clock = fakeClock();
  const stores = {
    sites: { find: async () => site },
    mappingProfiles: { ofAccount: async () => [] },
    audit: { append: async () => void happened.push("audited") },
    readings: {
      async store() {
        happened.push("stored");
        clock.advance({ seconds });
      },
    },
  };
  const ports = {
    stores,
    transact: (work: (of: typeof stores) => Promise<unknown>) => work(stores),
    clock,
    telemetry: { metersOf: async () => new Map([[site.id, [{ id: meter.id, key: { site: 1, meter: 1 } }]]]) },
    importing: {
      read: readMeterDataFiles(),
      late: { note: async () => async () => void happened.push("settled") },
      keepDays: null,
      checkDisk: async () => {},
      noteStored: (count: number) => void happened.push(`${count} noted`),
    },
  };
  return ports as unknown as MeterDataPorts;
};

/** Forty-two days in hours: two parts. */
const bytes = Buffer.from(
  [
    "interval_start,kw",
    ...Array.from({ length: 1000 }, (_, hour) => `${new Date(hour * 3_600_000).toISOString()},1`),
  ].join("\n"),
);

const run = (ports: MeterDataPorts) =>
  importMeterData(ports, { actor: "operator", within: null }, site.id, {
    pieces: [bytes],
    signal: new AbortController().signal,
    options: {},
    choice: { meterId: null, bySeries: new Map() },
    profiles: { name: null, saveAs: null },
    leavesOutEstimated: false,
  });

test("an import that the database takes too long for is rolled back, before its late notes count as abandoned", async () => {
  const happened: string[] = [];
  const refusal = (await run(slowPorts(91, happened))) as Refusal;
  expect(refusal).toMatchObject({ code: "too_many", retryAfterSeconds: 60 });
  expect(happened).toEqual(["stored"]);
});

test("an import in time is stored in parts, audited, and its late notes are settled afterwards", async () => {
  const happened: string[] = [];
  expect(await run(slowPorts(30, happened))).toMatchObject({ faultCount: 0 });
  expect(happened).toEqual(["stored", "stored", "audited", "settled", "1000 noted"]);
});
