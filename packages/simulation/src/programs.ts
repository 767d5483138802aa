import type { ProgramKey } from "./site-spec.js";

/** Programs of the fleet, in the form of the operator interface. */
export const programs = {
  peak: {
    name: "Peak relief",
    timezone: "America/Chicago",
    market: "ERCOT",
    program_type: "capacity",
    baseline: { preset: "high_4_of_5" },
  },
  reserve: {
    name: "Fast reserve",
    timezone: "America/Chicago",
    market: "ERCOT",
    program_type: "ancillary_services",
    baseline: { preset: "meter_before" },
  },
} as const;

export const programNames: Readonly<Record<ProgramKey, string>> = {
  peak: programs.peak.name,
  reserve: programs.reserve.name,
};
