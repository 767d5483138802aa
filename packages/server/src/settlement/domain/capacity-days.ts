import { greater, textOf, unitsOfNumber } from "./decimal.js";
import { type EnrolledPeriod, isHeldAt } from "./enrolled-period.js";

/** Places of kW and kWh: they are rounded before they are multiplied. */
export const QUANTITY_PLACES = 3;

/** Days in a row with the same commitment of a site in a program. */
export interface CapacityDays {
  /** The first day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly days: number;
  /** null: not agreed, or not enrolled. */
  readonly commitmentKw: number | null;
  readonly isEnrolled: boolean;
  /** kW that are paid in this program, as decimal text; those that an earlier enrolment commits are not. */
  readonly countedKw: string;
  /** Names of programs with a price for capacity in which the site is enrolled, too. */
  readonly others: readonly string[];
}

/** A local day of a month. */
export interface DayOfMonth {
  readonly date: string;
  /** Its last moment. */
  readonly lastMs: number;
}

/**
 * The days of a month by what is committed at the end of each. Of the programs that pay for capacity, the one with the
 * earliest enrolment is paid first; together they are paid the largest commitment of the site.
 */
export const capacityDaysOf = (
  programId: string,
  days: readonly DayOfMonth[],
  periods: readonly EnrolledPeriod[],
): readonly CapacityDays[] => {
  const found: CapacityDays[] = [];
  const on = ({ lastMs }: DayOfMonth) =>
    dayOf(
      programId,
      periods.filter((period) => isHeldAt(period, lastMs)),
    );
  const [first] = days;
  // Most commitments hold for the whole month.
  if (first !== undefined && isSteady(days, periods)) return [{ from: first.date, days: days.length, ...on(first) }];
  for (const day of days) {
    const { date } = day;
    const one = on(day);
    const last = found.at(-1);
    if (last !== undefined && isSame(last, one)) found[found.length - 1] = { ...last, days: last.days + 1 };
    else found.push({ from: date, days: 1, ...one });
  }
  return found;
};

/** Whether no enrolment begins or ends between the end of the first day and that of the last. */
const isSteady = (days: readonly DayOfMonth[], periods: readonly EnrolledPeriod[]): boolean => {
  const [firstMs = 0, lastMs = 0] = [days[0]?.lastMs, days.at(-1)?.lastMs];
  const isWithin = (ms: number | null) => ms !== null && ms > firstMs && ms <= lastMs;
  return !periods.some(({ fromMs, toMs }) => isWithin(fromMs) || isWithin(toMs));
};

type Day = Omit<CapacityDays, "from" | "days">;

const dayOf = (programId: string, held: readonly EnrolledPeriod[]): Day => {
  const own = held.find((each) => each.programId === programId);
  if (own === undefined)
    return { isEnrolled: false, commitmentKw: null, countedKw: textOf(0n, QUANTITY_PLACES), others: [] };
  const others = held.filter((each) => each !== own && each.commitmentKw !== null);
  const committed = others
    .filter((each) => byEnrolment(each, own) < 0)
    .map(unitsOfPeriod)
    .reduce(greater, 0n);
  const counted = greater(0n, unitsOfPeriod(own) - committed);
  return {
    isEnrolled: true,
    commitmentKw: own.commitmentKw,
    countedKw: textOf(counted, QUANTITY_PLACES),
    others: others.map(({ programName }) => programName).toSorted(),
  };
};

/** The earlier enrolment first, and by the program's id if both are of the same moment. */
const byEnrolment = (one: EnrolledPeriod, other: EnrolledPeriod): number =>
  (one.sinceMs ?? 0) - (other.sinceMs ?? 0) || (one.programId < other.programId ? -1 : 1);

const unitsOfPeriod = ({ commitmentKw }: EnrolledPeriod): bigint =>
  commitmentKw === null ? 0n : unitsOfNumber(commitmentKw, QUANTITY_PLACES);

const isSame = (one: Day, other: Day): boolean =>
  one.isEnrolled === other.isEnrolled &&
  one.commitmentKw === other.commitmentKw &&
  one.countedKw === other.countedKw &&
  one.others.join("\n") === other.others.join("\n");
