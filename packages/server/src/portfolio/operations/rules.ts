import type { RulesAdoption, RulesVersion } from "../domain/rules.js";
import { monthOf, nextMonth } from "./local-month.js";

export interface RulesStore {
  /** Oldest first. */
  adoptions(): Promise<readonly RulesAdoption[]>;
  add(adoption: RulesAdoption): Promise<void>;
}

/** The first month of a program in that time zone that an adoption holds in. */
const firstMonthOf = ({ adoptedAt, fromMonth }: RulesAdoption, timezone: string): string =>
  fromMonth ?? nextMonth(monthOf(adoptedAt.getTime(), timezone));

/** The rules that hold in a local month of a program (G64). */
export const rulesOfMonth = (month: string, timezone: string, adoptions: readonly RulesAdoption[]): RulesVersion =>
  adoptions
    .filter((each) => firstMonthOf(each, timezone) <= month)
    .reduce<RulesVersion>((newest, { rulesVersion }) => (rulesVersion > newest ? rulesVersion : newest), 1);

/** The rules that hold for a dispatch: those of the local month that it starts in. */
export const rulesFor = (startMs: number, timezone: string, adoptions: readonly RulesAdoption[]): RulesVersion =>
  rulesOfMonth(monthOf(startMs, timezone), timezone, adoptions);
