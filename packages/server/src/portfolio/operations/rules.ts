import { NEWEST_RULES, type RulesAdoption, type RulesVersion } from "../domain/rules.js";
import { monthOf, nextMonth } from "./local-month.js";

export interface RulesStore {
  /** Oldest first. */
  adoptions(): Promise<readonly RulesAdoption[]>;
  add(adoption: RulesAdoption): Promise<void>;
}

/** The first month of a program in that time zone that an adoption holds in. */
export const firstMonthOf = ({ adoptedAt, fromMonth }: RulesAdoption, timezone: string): string =>
  fromMonth ?? nextMonth(monthOf(adoptedAt.getTime(), timezone));

/** The rules that hold in a local month of a program (G64). */
export const rulesOfMonth = (month: string, timezone: string, adoptions: readonly RulesAdoption[]): RulesVersion =>
  adoptions
    .filter((each) => firstMonthOf(each, timezone) <= month)
    .reduce<RulesVersion>((newest, { rulesVersion }) => (rulesVersion > newest ? rulesVersion : newest), 1);

/** The last time zone to begin a month in, and so the one in which rules may hold the latest. */
const LATEST_ZONE = "Etc/GMT+12";
const EARLIEST_ZONE = "Pacific/Kiritimati";

/** The first month that the newest rules hold in everywhere. */
export const newestRulesFrom = (adoptions: readonly RulesAdoption[]): string => {
  const newest = adoptions.filter(({ rulesVersion }) => rulesVersion === NEWEST_RULES);
  const from = (timezone: string) => newest.map((each) => firstMonthOf(each, timezone)).toSorted()[0] ?? "9999-12";
  return [EARLIEST_ZONE, LATEST_ZONE].map(from).toSorted()[1] ?? "9999-12";
};

/** The rules that hold for a dispatch: those of the local month that it starts in. */
export const rulesFor = (startMs: number, timezone: string, adoptions: readonly RulesAdoption[]): RulesVersion =>
  rulesOfMonth(monthOf(startMs, timezone), timezone, adoptions);
