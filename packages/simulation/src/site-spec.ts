import type { LoadKind } from "./load/natural.js";
import type { Response } from "./load/response.js";
import type { Place } from "./places.js";

interface LoadMeter {
  readonly name: string;
  readonly kind: LoadKind;
  readonly peakKw: number;
  /** Whether its load falls when the site is dispatched. */
  readonly sheds: boolean;
}

interface BatteryMeter {
  readonly name: string;
  readonly kind: "battery";
  readonly ratedKw: number;
  readonly capacityKwh: number;
}

export type MeterSpec = LoadMeter | BatteryMeter;

export const programKeys = ["peak", "reserve"] as const;
export type ProgramKey = (typeof programKeys)[number];

/** A site of the simulated fleet. */
export interface SiteSpec {
  /** The owner's own identifier, by which a later run finds the site again. */
  readonly code: string;
  readonly account: string;
  readonly name: string;
  readonly group: string;
  readonly timezone: string;
  /** null: on no map. */
  readonly place: Place | null;
  readonly seed: number;
  readonly meters: readonly MeterSpec[];
  readonly programs: readonly ProgramKey[];
  readonly commitmentKw: number;
  readonly response: Response;
  /** Whether it makes up for the shed load afterwards. */
  readonly rebounds: boolean;
}
