import { readFileSync } from "node:fs";
import { decodeDay, encodeDay } from "@curtail/server/day-block";
import { figure, report } from "./report.js";

const CELLS_PER_DAY = 2880;
const DAYS = 60;
const ROUNDS = 20;

/** Days of a meter, as 30-second cells. */
export interface Series {
  readonly name: string;
  readonly readingsPerDay: number;
  readonly days: readonly Float64Array[];
}

const noise = (step: number): number => {
  const far = Math.sin(step * 78.233) * 43_758.5453;
  return far - Math.floor(far);
};

const made = (name: string, seconds: number, powerAt: (step: number) => number): Series => {
  const readingsPerDay = 86_400 / seconds;
  const cells = CELLS_PER_DAY / readingsPerDay;
  const day = (nth: number) =>
    Float64Array.from({ length: CELLS_PER_DAY }, (_, cell) => powerAt(nth * readingsPerDay + Math.floor(cell / cells)));
  return { name, readingsPerDay, days: Array.from({ length: DAYS }, (_, nth) => day(nth)) };
};

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** A building with its daily course and noise, in kW. */
const building = (share: number, step: number): number => 200 + 80 * Math.sin(share * 2 * Math.PI) + 10 * noise(step);

const synthetic: readonly Series[] = [
  made("30 s, kW of one decimal", 30, (step) => rounded(building(step / 2880, step), 1)),
  made("300 s, energy in Wh", 300, (step) => (rounded(building(step / 288, step) / 12, 3) * 3600) / 300),
  made("30 s, random doubles", 30, (step) => 1000 * noise(step)),
];

/** The recorded building, if there are fixtures: kW of a minute in four decimals. */
const recorded = (): Series[] => {
  const fixtures = process.env["TEST_FIXTURES"];
  if (fixtures === undefined) return [];
  const lines = readFileSync(`${fixtures}/data/commercial-building-1min-2022.csv`, "utf8").trimEnd().split("\n");
  const powers = lines.slice(1).map((line) => Number(line.split(",")[4]));
  return [made("recorded building, 60 s", 60, (step) => powers[step] ?? 0)];
};

export const allSeries = (): Series[] => [...recorded(), ...synthetic];

/** How small a day gets, and how many cells a second of processor time packs and unpacks. */
export const measureCodec = ({ name, readingsPerDay, days }: Series): void => {
  const blocks = days.map(encodeDay);
  const bytes = blocks.reduce((sum, block) => sum + block.length, 0) / days.length;
  report(`packing days: ${name}`, {
    "bytes a reading": figure(bytes / readingsPerDay),
    "bytes a 30-second cell": figure(bytes / CELLS_PER_DAY),
    "packed and verified, million cells a processor second": figure(millionsASecond(days, encodeDay)),
    "unpacked, million cells a processor second": figure(millionsASecond(blocks, decodeDay)),
  });
};

const millionsASecond = <T>(days: readonly T[], work: (day: T) => unknown): number => {
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) for (const day of days) work(day);
  const { user, system } = process.cpuUsage(before);
  return (ROUNDS * days.length * CELLS_PER_DAY) / (user + system);
};
