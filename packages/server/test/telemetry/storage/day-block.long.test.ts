import { CELL_SECONDS } from "@curtail/measure";
import { beforeAll, describe, expect, test } from "vitest";
import { CELLS_PER_DAY } from "../../../src/telemetry/domain/day-slots.js";
import { powerOfEnergy } from "../../../src/telemetry/domain/reading.js";
import { decodeDay, encodeDay } from "../../../src/telemetry/storage/day-block.js";
import { readBuilding } from "../../support/building.js";
import { bytesPerReading, comesBack, day, GAP, ofReadings, randoms } from "../../support/day-blocks.js";

describe("a packed day has every bit of every power", () => {
  test("of random doubles, which are stored as they are", () => {
    const random = randoms(2);
    expect(
      bytesPerReading(
        day(() => random() * 1000),
        CELLS_PER_DAY,
      ),
    ).toBeLessThan(8.1);
  });

  test("of doubles of any bits", () => {
    const bytes = new DataView(new ArrayBuffer(8));
    const random = randoms(3);
    const any = (): number => {
      bytes.setUint32(0, 2 ** 32 * random());
      bytes.setUint32(4, 2 ** 32 * random());
      const kw = bytes.getFloat64(0);
      return Number.isFinite(kw) ? kw : 0;
    };
    for (let round = 0; round < 20; round++) comesBack(day(any));
  });
});

const fixtures = process.env["TEST_FIXTURES"];

describe.skipIf(fixtures === undefined)("the recorded building (needs TEST_FIXTURES)", () => {
  const days = new Map<number, Float64Array>();

  beforeAll(() => {
    for (const { endMs, kw } of readBuilding(`${fixtures}/data/commercial-building-1min-2022.csv`).intervals) {
      const cell = endMs / 1000 / CELL_SECONDS;
      for (const at of [cell - 1, cell]) {
        const date = Math.floor((at - 1) / CELLS_PER_DAY);
        const cells = days.get(date) ?? day(() => GAP);
        days.set(date, cells);
        cells[at - 1 - date * CELLS_PER_DAY] = kw;
      }
    }
  });

  test("takes at most 2.5 bytes a minute, day by day", () => {
    expect(days.size).toBe(63);
    for (const cells of days.values()) {
      const minutes = cells.filter((kw) => !Number.isNaN(kw)).length / 2;
      expect(bytesPerReading(cells, minutes)).toBeLessThan(2.5);
    }
  });

  test("takes at most 2.5 bytes for five minutes of energy", () => {
    for (const cells of days.values()) {
      if (cells.some((kw) => Number.isNaN(kw))) continue;
      const five = ofReadings(300, (reading) => {
        const powers = cells.subarray(reading * 10, reading * 10 + 10);
        return powerOfEnergy(Math.round((powers.reduce((sum, kw) => sum + kw, 0) / 120) * 1000) / 1000, 300);
      });
      expect(bytesPerReading(five, 288)).toBeLessThan(2.5);
    }
  });
});

describe("a damaged block is refused", () => {
  const random = randoms(4);
  const block = encodeDay(ofReadings(300, (reading) => (reading % 7 === 3 ? GAP : Math.round(1e4 * random()) / 100)));

  test("whichever of its bits is wrong", () => {
    for (let bit = 0; bit < 8 * block.length; bit++) {
      const damaged = Buffer.from(block);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeDay(damaged), `bit ${bit}`).toThrow("a packed day of telemetry is damaged");
    }
  });

  test("whichever of its bytes is another", () => {
    for (let at = 0; at < block.length; at++) {
      const damaged = Buffer.from(block);
      damaged[at] = ((damaged[at] ?? 0) + 1 + Math.floor(255 * random())) % 256;
      expect(() => decodeDay(damaged), `byte ${at}`).toThrow("a packed day of telemetry is damaged");
    }
  });

  test("wherever it ends", () => {
    for (let length = 0; length < block.length; length++) {
      expect(() => decodeDay(block.subarray(0, length)), `${length} bytes`).toThrow(
        "a packed day of telemetry is damaged",
      );
    }
  });
});
