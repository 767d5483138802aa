import { describe, expect, test } from "vitest";
import { block, feed, meterReading, readingType } from "./support/green-button-file.js";
import { faultsOf, readFile } from "./support/read-file.js";

const many = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at));

describe("a file that takes long or much memory", () => {
  test("has at most 20,000 entries and 500 meter readings, whatever their links", () => {
    expect(faultsOf(readFile(feed(...many(20_001, () => "<entry/>")), {}, 65_536))).toEqual([
      "20003: the file has more than 20000 entries; split it into several files",
    ]);
    const pairs = many(9000, (at) => meterReading(`${at}`) + block([], `${at}`));
    const data = readFile(feed(...pairs, readingType()), {}, 65_536);
    expect(faultsOf(data)).toEqual([expect.stringMatching(/more than 500 meter readings/)]);
  });

  test("has no memory for each of a million empty blocks", () => {
    const before = process.memoryUsage().rss;
    const blocks = `<IntervalBlock xmlns="http://naesb.org/espi"/>`.repeat(200_000);
    expect(readFile(feed(`<entry><content>${blocks}</content></entry>`), {}, 65_536).faultCount).toBe(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });
});
