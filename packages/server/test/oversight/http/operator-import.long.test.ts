import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { file, header, imported, lines, none, prepare, send, service } from "../../support/imports-of-sites.js";

beforeAll(prepare);

describe("a file", () => {
  test("counts lines as an editor does", async () => {
    const { faults } = await imported(`${header}\r\n\r\nNew,S,,,,m,load\r\nNew,T,,,,m,lamp\r\n`, true);
    expect(faults).toMatchObject([{ line: 4 }]);
  });

  test("shows 200 lines and 1,000 faults at most", async () => {
    expect((await imported(lines(201, "m"), true)).preview).toHaveLength(200);
    const faulty = await imported(lines(1001, ""), true);
    expect([faulty.faults.length, faulty.fault_count]).toEqual([1000, 1001]);
  });
});

describe("what is almost the same as something else", () => {
  const composed = "Caf\u00e9 X";

  beforeAll(async () => {
    await imported(file(`${composed},Hall,0001,,,Main meter,load`, `${composed},Yard,,,,Main meter,load`));
  });

  test("two spellings within one file are shown, too", async () => {
    const csv = file("Twice,Dock,7,,,m,load", "TWICE,Dock,7,,,m,load", "Twice,Gate,07,,,m,load");
    const { near_matches } = await imported(csv, true);
    expect(near_matches.map(({ line, column }) => `${line} ${column}`)).toEqual([
      "3 account",
      "4 customer_location_id",
    ]);
  });

  test("sites of one name with identifiers of their own are no near match, nor is the same file again", async () => {
    const csv = file(`${composed},Hall,0002,,,Main meter,load`, `${composed},hall,0003,,,Main meter,load`);
    expect((await imported(csv, true)).near_matches).toEqual([]);
    await imported(csv);
    expect((await imported(csv, true)).near_matches).toEqual([]);
  });
});

test("a time zone of a file is stored in the spelling of the IANA database", async () => {
  await imported(`${header}\nZones,Berlin,,,europe/berlin,m,load\nZones,Pune,,,ASIA/KOLKATA,m,load`);
  const { items } = (await service.operator(operator.listAllSites, { query: { limit: 500 } })).body;
  const timezones = items.filter(({ account_name }) => account_name === "Zones").map(({ timezone }) => timezone);
  expect(timezones.toSorted()).toEqual(["Asia/Kolkata", "Europe/Berlin"]);
});

const batteryFile = (means: string, asset = "battery") =>
  `${header},kwh_means\nCells,Plant,,,,cell,${asset},${means}\n`;
const meansNow = async () => {
  const { items } = await service.made(operator.listAllSites, { query: { search: "Plant" } });
  return items[0]?.meters[0]?.kwh_means;
};

test("the meaning of a battery's kWh may be imported, and changes nothing the second time", async () => {
  const { body: faulty } = await send(batteryFile("charge", "load"), true);
  expect(faulty.faults).toMatchObject([{ line: 2, column: "kwh_means" }]);
  expectError(await send(batteryFile("power")), 400, /line 2, kwh_means: .*give energy, or charge for a battery/);
  for (const [means, becomes, change] of [
    ["", "charge", 0],
    ["energy", "energy", 1],
    ["energy", "energy", 0],
    ["", "energy", 0],
    ["charge", "charge", 1],
  ] as const) {
    expect((await imported(batteryFile(means))).change).toEqual({ ...none, meters: change });
    expect(await meansNow()).toBe(becomes);
  }
});
