import { quote } from "../../platform/quote.js";
import { invalid, type Refusal } from "../../platform/refusal.js";
import type { HolidayCalendar } from "./holidays.js";
import type { BaselineSetting, MeasurementSettings } from "./measurement.js";

export interface OpenAdrSettings {
  readonly level: 1 | 2;
  readonly ramp_up_seconds?: number;
  readonly recovery_seconds?: number;
}

/** How long a dispatch without an end may run before operators are alarmed, unless the program says otherwise (G60). */
export const LONGEST_OPEN_HOURS = 24;

export interface Program extends MeasurementSettings {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly market: string;
  readonly programType: string;
  readonly scheduleCutoffSeconds: number;
  /** null: its holidays are made by hand. */
  readonly holidayCalendar: HolidayCalendar | null;
  readonly openadr: OpenAdrSettings | null;
  readonly longestOpenHours: number;
  /** Over OpenADR 3, VENs of accounts that have nothing in it see it, too (G68). */
  readonly isPublic: boolean;
  /** Of the simulated site: its dispatches count nowhere. */
  readonly isSimulated: boolean;
  readonly createdAt: Date;
}

/** A site's enrolment in a program. */
export interface Enrolment {
  readonly programId: string;
  readonly siteId: string;
  readonly commitmentKw: number | null;
  /** Overrides the program's baseline for this site. */
  readonly baseline: BaselineSetting | null;
}

/** Refuses names that are not an IANA time zone. */
export const refuseTimezone = (timezone: string): Refusal | null => {
  // Node accepts an offset such as +02:00, but that is no time zone: it has no daylight saving time.
  if (/^[A-Za-z]/.test(timezone)) {
    try {
      Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions();
      return null;
    } catch {
      // RangeError: an unknown zone, refused below.
    }
  }
  return invalid(`timezone is "${quote(timezone)}"; give an IANA time zone name such as America/Chicago`);
};

/** What is simulated never counts together with what is real. */
export const simulatedAlone = invalid(
  "Enrol simulated sites in the program of the simulated site only, and no real site in it. Results of both never count together.",
);

declare module "../../access/domain/audit.js" {
  interface Audited {
    program: { action: "program.create" | "program.change"; state: Program };
    enrolment: { action: "program.enrol" | "program.withdraw"; state: Enrolment };
  }
}
