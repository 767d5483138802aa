import type { MeterKey } from "@curtail/measure";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TelemetryWriter } from "../../../src/telemetry/storage/telemetry-writer.js";
import type { TestDatabase } from "../../support/database.js";
import { failingDatabase, newMeter, REFUSED_KW, readings, stored } from "../../support/hour-readings.js";

let database: TestDatabase;
let writer: TelemetryWriter;

beforeAll(async () => {
  database = await failingDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  writer = new TelemetryWriter(database.pool);
});

const version = async ({ meter }: MeterKey) =>
  (await database.pool.query("select xmin::text, ctid::text from telemetry_hours where meter = $1", [meter])).rows;

describe("an upload", () => {
  test("is there when the promise is kept, across hours and with gaps", async () => {
    const meter = newMeter();
    await writer.write(readings([meter, 1, 5, 2], [meter, 9, 7], [meter, 120, 8, 2]));
    expect(await stored(database, meter)).toEqual({ 0: 5, 1: 5, 9: 7, 119: 8, 120: 8 });
  });

  test("replaces what it covers and leaves the rest, before, within and after what is there", async () => {
    const meter = newMeter();
    await writer.write(readings([meter, 50, 1, 5]));
    await writer.write(readings([meter, 48, 2], [meter, 60, 3], [meter, 40, 4]));
    expect(await stored(database, meter)).toEqual({ 40: 4, 46: 1, 47: 1, 48: 2, 49: 1, 50: 1, 60: 3 });
  });

  test("is stored whole or not at all, whichever of its statements fails", async () => {
    const [good, bad] = [newMeter(), newMeter()];
    for (const place of [3, 9]) {
      const upload = readings(
        [good, 1, 1],
        [bad, 1, 1],
        [bad, 5, place === 3 ? REFUSED_KW : 1],
        [bad, 9, place === 9 ? REFUSED_KW : 1],
      );
      await expect(writer.write(upload)).rejects.toThrow("refused by the test");
    }
    expect(await stored(database, good)).toEqual({});
    expect(await stored(database, bad)).toEqual({});
  });

  test("is stored with its states of charge or without both", async () => {
    const meter = newMeter();
    await database.pool.query(
      `alter table charge_hours add constraint refused check (not ${REFUSED_KW} = any(kwh)) not valid`,
    );
    const charge = async () =>
      (await database.pool.query("select kwh from charge_hours where meter = $1", [meter.meter])).rows;
    await expect(writer.write(readings([meter, 1, 5]), readings([meter, 1, REFUSED_KW]))).rejects.toThrow("refused");
    expect([await stored(database, meter), await charge()]).toEqual([{}, []]);
    await expect(writer.write(readings([meter, 1, REFUSED_KW]), readings([meter, 1, 500]))).rejects.toThrow("refused");
    expect([await stored(database, meter), await charge()]).toEqual([{}, []]);
    await writer.write(readings([meter, 1, 5]), readings([meter, 1, 500]));
    expect([await stored(database, meter), await charge()]).toEqual([{ 1: 5 }, [{ kwh: [500] }]]);
  });

  test("that failed does not block others", async () => {
    const meter = newMeter();
    const failing = writer.write(readings([meter, 1, REFUSED_KW]));
    const next = failing.catch(() => writer.write(readings([meter, 2, 2])));
    await expect(failing).rejects.toThrow("refused by the test");
    await next;
    expect(await stored(database, meter)).toEqual({ 2: 2 });
  });
});

describe("a retry", () => {
  test("leaves the row as it is: no new version, no dead one", async () => {
    const meter = newMeter();
    const upload = readings([meter, 9, 5, 10], [meter, 20, 6], [meter, 0, 7]);
    await writer.write(upload);
    const before = await version(meter);
    await writer.write(upload);
    await writer.write(readings([meter, 20, 6]));
    expect(await version(meter)).toEqual(before);
  });

  test("of which one cell is new or different is written", async () => {
    const meter = newMeter();
    await writer.write(readings([meter, 9, 5, 10]));
    await writer.write(readings([meter, 10, 5, 10]));
    expect(Object.keys(await stored(database, meter))).toHaveLength(11);
    const before = await version(meter);
    await writer.write(readings([meter, 3, 4]));
    expect(await version(meter)).not.toEqual(before);
    expect((await stored(database, meter))[3]).toBe(4);
  });
});
