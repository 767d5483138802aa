import { type CapacityDays, QUANTITY_PLACES } from "./capacity-days.js";
import { committedUnits, countedOf, isPaidElsewhere } from "./counted-energy.js";
import { divided, greater, lesser, sumOf, textOf, unitsOf, unitsOfNumber } from "./decimal.js";
import { type Draft, lineOfMonth, percent, priced, quantityText } from "./line-draft.js";
import type { SettlementRules } from "./settlement-rules.js";
import type { SettledResult, SiteToSettle } from "./statement.js";
import { PLACES, type Terms } from "./terms.js";

type Capacity = NonNullable<Terms["capacity"]>;

/** The line for the commitment of a site in a month. */
export const capacityLines = (terms: Terms, site: SiteToSettle, rules: SettlementRules): Draft[] => {
  const { capacity } = terms;
  if (capacity === null) return [];
  const line = { ...lineOfMonth, kind: "capacity", unit: "kW", price: capacity.pricePerKw } as const;
  const committed = rules.isProrated ? commitmentOfDays(site.capacity ?? []) : commitmentAtEnd(site);
  if (typeof committed === "string") return [{ ...line, words: committed }];
  const { factor, words } = factorWords(capacity, site.results, rules);
  const minor = priced(terms, committed.units, capacity.pricePerKw, factor);
  const parts = [words, committed.words].filter((part) => part !== "");
  return [{ ...line, quantity: quantityText(committed.units), factor, minor, words: parts.join("; ") }];
};

interface Committed {
  readonly units: bigint;
  readonly words: string;
}

const commitmentAtEnd = ({ isEnrolled, commitmentKw }: SiteToSettle): Committed | string => {
  if (!isEnrolled) return "not enrolled at the end of the month";
  if (commitmentKw === null) return "no commitment is agreed";
  return { units: unitsOfNumber(commitmentKw, QUANTITY_PLACES), words: "" };
};

/** The mean of the days that count. */
const commitmentOfDays = (days: readonly CapacityDays[]): Committed | string => {
  if (days.every(({ isEnrolled }) => !isEnrolled)) return "not enrolled in the month";
  if (days.every(({ commitmentKw }) => commitmentKw === null)) return "no commitment is agreed";
  const total = sumOf(days.map((each) => BigInt(each.days) * unitsOf(each.countedKw, QUANTITY_PLACES)));
  const count = BigInt(days.reduce((sum, each) => sum + each.days, 0));
  return { units: divided(total, count), words: [daysWords(days), othersWords(days)].filter(Boolean).join("; ") };
};

/** Nothing if one commitment holds for the whole month. */
const daysWords = (days: readonly CapacityDays[]): string =>
  days.length < 2
    ? ""
    : days.map((each) => `${kwWords(each)} for ${each.days} ${each.days === 1 ? "day" : "days"}`).join(", ");

const kwWords = ({ isEnrolled, commitmentKw, countedKw }: CapacityDays): string => {
  if (!isEnrolled) return "not enrolled";
  return commitmentKw === null ? "no commitment" : `${trimmed(countedKw)} kW`;
};

const trimmed = (decimal: string): string => decimal.replace(/\.?0+$/, "");

const othersWords = (days: readonly CapacityDays[]): string => {
  const names = [...new Set(days.flatMap(({ others }) => others))];
  if (names.length === 0) return "";
  const lost = days.some(
    ({ commitmentKw, countedKw }) =>
      unitsOf(countedKw, QUANTITY_PLACES) < unitsOfNumber(commitmentKw ?? 0, QUANTITY_PLACES),
  );
  return lost
    ? `what is committed in ${names.join(" and ")}, enrolled earlier, is paid there`
    : `paid here first: ${names.join(" and ")} has the same capacity`;
};

const ONE = 10n ** BigInt(PLACES);

const factorWords = ({ factor }: Capacity, results: readonly SettledResult[], rules: SettlementRules) =>
  factor === null
    ? {
        factor: textOf(ONE, PLACES),
        words: rules.isProrated ? "commitment of the month" : "commitment at the end of the month",
      }
    : factorOf(factor, results, rules);

type Limits = NonNullable<Capacity["factor"]>;

/** Delivered energy, capped at the commitment, over committed energy of the month's dispatches. */
const factorOf = ({ lowest, highest }: Limits, results: readonly SettledResult[], rules: SettlementRules) => {
  const here = results.filter((result) => !isPaidElsewhere(result));
  const judged = here.flatMap(judgedEnergy);
  const committed = sumOf(judged.map((each) => each.committed));
  const rest =
    restWords(here.length - judged.length, "not judged") + restWords(results.length - here.length, "paid elsewhere");
  const within = (share: bigint) => greater(unitsOf(lowest, PLACES), lesser(unitsOf(highest, PLACES), share));
  const limitWords = (share: bigint) => (within(share) === share ? "" : `, limited to ${percent(within(share))}`);
  if (committed === 0n) {
    const full = rules.limitsDefault ? within(ONE) : ONE;
    const words = `no dispatch to judge by${rules.limitsDefault ? limitWords(ONE) : ""}${rest}`;
    return { factor: textOf(full, PLACES), words };
  }
  const share = divided(sumOf(judged.map((each) => each.capped)) * ONE, committed);
  const words = `performance ${percent(share)}${limitWords(share)}, over ${counted(judged.length)}${rest}`;
  return { factor: textOf(within(share), PLACES), words };
};

const judgedEnergy = (result: SettledResult) => {
  const [committed, capped] = [committedUnits(result), countedOf(result, "capped")];
  const isJudged = !(result.isCancelled || result.isUnjudged);
  return !isJudged || committed === null || typeof capped === "string" ? [] : [{ capped, committed }];
};

const restWords = (dispatches: number, what: string): string =>
  dispatches === 0 ? "" : `; ${counted(dispatches)} ${what}`;

const counted = (dispatches: number): string => `${dispatches} ${dispatches === 1 ? "dispatch" : "dispatches"}`;
