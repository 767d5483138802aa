import type { MeterSpec, ProgramKey } from "./site-spec.js";

/** Sites of one owner and one kind. */
export interface Portfolio {
  readonly account: string;
  readonly code: string;
  readonly names: readonly string[];
  readonly group: string;
  readonly timezone: string;
  readonly meters: (size: number, at: number) => readonly MeterSpec[];
  readonly programs: readonly ProgramKey[];
  /** For a site of size 1. */
  readonly commitmentKw: number;
  readonly delaySeconds: number;
  readonly rampSeconds: number;
  readonly rebounds?: true;
}

const load = (kind: Exclude<MeterSpec["kind"], "battery" | "solar">, peakKw: number): MeterSpec => ({
  name: "main",
  kind,
  peakKw: Math.round(peakKw),
  sheds: true,
});
const solar = (peakKw: number): MeterSpec => ({
  name: "solar",
  kind: "solar",
  peakKw: Math.round(peakKw),
  sheds: false,
});

export const portfolios: readonly Portfolio[] = [
  {
    account: "Lone Star Offices",
    code: "LSO",
    names: [
      "Congress Tower",
      "Riverside Plaza",
      "Domain North",
      "Mueller Court",
      "Alamo Center",
      "Pearl House",
      "Trinity Park",
      "Harbor One",
    ],
    group: "offices",
    timezone: "America/Chicago",
    meters: (size, at) => [load("office", 620 * size), ...(at % 3 === 1 ? [solar(140 * size)] : [])],
    programs: ["peak"],
    commitmentKw: 130,
    delaySeconds: 120,
    rampSeconds: 420,
  },
  {
    account: "North Cold Storage",
    code: "NCS",
    names: [
      "Warehouse Dallas",
      "Warehouse Fort Worth",
      "Warehouse Waco",
      "Warehouse Laredo",
      "Dock 7 Houston",
      "Blast Freezer El Paso",
    ],
    group: "cold stores",
    timezone: "America/Chicago",
    meters: (size) => [load("cold_store", 480 * size)],
    programs: ["peak", "reserve"],
    commitmentKw: 210,
    delaySeconds: 45,
    rampSeconds: 120,
    rebounds: true,
  },
  {
    account: "Prairie Markets",
    code: "PM",
    names: [
      "Store 101",
      "Store 104",
      "Store 108",
      "Store 112",
      "Store 117",
      "Store 123",
      "Store 126",
      "Store 131",
      "Store 140",
      "Store 152",
    ],
    group: "stores",
    timezone: "America/Chicago",
    meters: (size, at) => [load("supermarket", 310 * size), ...(at === 0 ? [solar(90)] : [])],
    programs: ["peak"],
    commitmentKw: 55,
    delaySeconds: 90,
    rampSeconds: 300,
    rebounds: true,
  },
  {
    account: "Hill Country Water",
    code: "HCW",
    names: [
      "Pump House Barton",
      "Pump House Comal",
      "Lift Station 3",
      "Lift Station 9",
      "Booster Kerrville",
      "Well Field West",
    ],
    group: "pumps",
    timezone: "America/Chicago",
    meters: (size) => [load("pumps", 360 * size)],
    programs: ["reserve"],
    commitmentKw: 100,
    delaySeconds: 15,
    rampSeconds: 30,
  },
  {
    account: "Bluebonnet Storage",
    code: "BBS",
    names: [
      "Battery Pecos",
      "Battery Midland",
      "Solar Farm Big Bend",
      "Battery Odessa",
      "Solar Farm Marfa",
      "Battery San Angelo",
    ],
    group: "storage",
    timezone: "America/Chicago",
    meters: (size, at) =>
      at === 2 || at === 4
        ? [solar(1500 * size)]
        : [
            { ...load("office", 160 * size), sheds: false, name: "building" } as MeterSpec,
            { name: "battery", kind: "battery", ratedKw: Math.round(500 * size), capacityKwh: Math.round(1400 * size) },
          ],
    programs: ["reserve"],
    commitmentKw: 450,
    delaySeconds: 2,
    rampSeconds: 10,
  },
  {
    account: "Capital Transit",
    code: "CT",
    names: ["Bus Depot East", "Bus Depot Airport", "Van Yard South", "Ferry Terminal"],
    group: "ev depots",
    timezone: "America/New_York",
    meters: (size) => [load("ev_depot", 900 * size)],
    programs: ["peak"],
    commitmentKw: 190,
    delaySeconds: 60,
    rampSeconds: 60,
  },
];
