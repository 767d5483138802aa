import { crc32 } from "node:zlib";
import { CELL_SECONDS, placeInHour } from "@curtail/measure";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NewerFormat } from "../../../src/platform/newer-format.js";
import { CELLS_PER_DAY } from "../../../src/telemetry/domain/day-slots.js";
import { powerOfEnergy } from "../../../src/telemetry/domain/reading.js";
import { decodeDay, encodeDay } from "../../../src/telemetry/storage/day-block.js";
import { bytesPerReading, comesBack, day, GAP, ofReadings, randoms } from "../../support/day-blocks.js";

const INTERVALS = [30, 60, 90, 120, 150, 180, 210, 240, 270, 300];

describe("a packed day has every bit of every power", () => {
  test.each(INTERVALS)("of readings of %i s in kWh, in at most 2.5 bytes a reading", (seconds) => {
    const random = randoms(seconds);
    const energies = Array.from({ length: CELLS_PER_DAY + 1 }, () => Math.round(4000 + 500 * random()) / 1000);
    const cells = ofReadings(seconds, (reading) => powerOfEnergy(energies[reading] ?? 0, seconds));
    expect(bytesPerReading(cells, 86_400 / seconds)).toBeLessThan(2.5);
  });

  test.each(INTERVALS)("of readings of %i s in kW that end at any cell", (seconds) => {
    const random = randoms(seconds);
    const powers = Array.from({ length: CELLS_PER_DAY + 1 }, () => Math.round(1e5 * random()) / 100);
    for (let phase = 0; phase < seconds / CELL_SECONDS; phase++) {
      comesBack(ofReadings(seconds, (reading) => powers[reading + 1] ?? 0, phase));
    }
  });

  test("of a meter that changes its interval and its unit at noon", () => {
    const random = randoms(1);
    const minutes = ofReadings(60, () => 0).map(() => 0);
    for (let cell = 0; cell < CELLS_PER_DAY / 2; cell += 2)
      minutes.fill(Math.round(1e4 * random()) / 10, cell, cell + 2);
    for (let cell = CELLS_PER_DAY / 2; cell < CELLS_PER_DAY; cell += 10) {
      minutes.fill(powerOfEnergy(Math.round(1e4 * random()) / 1000, 300), cell, cell + 10);
    }
    comesBack(minutes);
  });

  test("of one odd reading among short decimals, at hardly more bytes", () => {
    const plain = ofReadings(30, (reading) => (reading % 100) / 10);
    const odd = plain.slice();
    odd[77] = Math.PI;
    odd[78] = -0;
    expect(encodeDay(odd).length).toBeLessThan(encodeDay(plain).length + 60);
    comesBack(odd);
  });

  test.each([
    ["nothing", [GAP]],
    ["one power", [412.5]],
    ["zero", [0]],
    ["minus zero", [-0]],
    ["both zeros", [0, -0, GAP, -0, 0]],
    ["the largest and the smallest numbers", [1e308, -1e308, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, -5e-324]],
    ["denormal numbers", [2.2e-308, 1e-310, -3e-315, 0]],
    ["whole numbers beyond 2^53", [2 ** 53 + 2, -(2 ** 60), 2 ** 50, -(2 ** 50), 2 ** 51]],
    ["powers at the edge of a bitwise number", [2 ** 29, -(2 ** 29), 2 ** 30, 2 ** 31, -(2 ** 31), 2 ** 32]],
    ["neighbours of short decimals", [0.1, 0.1 + 2 ** -56, 0.3, 0.1 + 0.2]],
    ["negative powers", [-0.1, -250.25, -1e7]],
    ["gaps", [1.5, GAP, GAP, 2.5, GAP]],
  ])("of %s", (_, powers) => {
    comesBack(day((cell) => powers[cell % powers.length] ?? GAP));
    comesBack(day((cell) => powers[cell] ?? GAP));
    comesBack(day((cell) => powers[CELLS_PER_DAY - 1 - cell] ?? GAP));
  });

  test("of arbitrary days", () => {
    const kw = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -1e9, max: 1e9 }).map((whole) => whole / 1000),
      fc.constantFrom(0, -0, GAP),
    );
    const run = fc.record({ kw, length: fc.integer({ min: 1, max: 400 }) });
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 300 }), (runs) => {
        const cells = day(() => GAP);
        let at = 0;
        for (const each of runs) cells.fill(each.kw, at, (at += each.length));
        comesBack(cells);
      }),
    );
  });
});

// Blocks that this version stored: whatever else changes, they mean the same for ever.
test.each<[string, (cell: number) => number, string]>([
  [
    "kW with a gap and an exception",
    (cell) => (cell >= 100 && cell < 130 ? GAP : cell === 2000 ? -0 : ((cell % 7) - 3) / 10),
    "AQFjZEiR2yfKyMjAuImfAQIaWJnAgJuWFBsTE03Np70PRm2gZfoYDd3R0B0tIEbLyNFqgomIIGBgGc0ro3mFiIQyqoSY7EQwlABPqP9R",
  ],
  [
    "kWh of 300 s",
    (cell) => ((((Math.floor(cell / 10) % 13) * 10 + 1) / 10_000) * 3600) / 300,
    "AQHjYljAxMiyhomBSQQJvGdE4oiM8mChgRESAAYjCas=",
  ],
  [
    "plain doubles",
    (cell) => (cell < 4 ? Math.PI * (cell - 1.5) * 1e300 : GAP),
    "AQFjZGDZI8bArryrpFU15t/6nIu+6w47weg6qHgdABqPXb8=",
  ],
])("a stored block of %s is read as it was written", (_, kwOf, block) => {
  expect(decodeDay(Buffer.from(block, "base64"))).toEqual(day(kwOf));
});

test("a block of a newer version is said to be one", () => {
  const newer = encodeDay(day((cell) => placeInHour(cell + 1)));
  newer[0] = 2;
  const end = newer.length - 4;
  newer.writeUInt32LE(crc32(newer.subarray(0, end)), end);
  expect(() => decodeDay(newer)).toThrow(NewerFormat);
});

test("a day has 2,880 cells", () => {
  expect(() => encodeDay(new Float64Array(2879))).toThrow("a day has 2880 cells, not 2879");
});
