import type { operator } from "@curtail/contract";
import { BASELINE_PRESETS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { percent } from "../format/quantity.js";
import { presetWords } from "./baseline.js";

type Accuracy = operator.BaselineAccuracy["methods"][number];

/** Presets that are tried: a firm service level has no baseline to compare. */
export const TRIED_PRESETS = BASELINE_PRESETS.filter((preset) => preset !== "firm_service_level");

/** How far a method's baselines were from the load, as text. */
export interface TriedMethod {
  readonly key: string;
  readonly name: string;
  readonly error: string;
  readonly bias: string;
  readonly days: string;
}

/** The smallest error first; methods without one last. */
export const triedMethods = (methods: readonly Accuracy[]): TriedMethod[] =>
  methods
    .toSorted((a, b) => errorOf(a) - errorOf(b))
    .map((method) => ({
      key: method.preset ?? "",
      name: method.preset === null ? say("As set now") : presetWords(method.preset),
      error: percent(method.relative_rmse),
      bias: signed(method.relative_bias),
      days: daysOf(method),
    }));

const errorOf = ({ relative_rmse }: Accuracy): number => relative_rmse ?? Number.POSITIVE_INFINITY;

const signed = (share: number | null): string => (share !== null && share > 0 ? `+${percent(share)}` : percent(share));

const daysOf = ({ days_tried, left_out }: Accuracy): string => {
  const [days, left] = [days_tried.length, left_out.length];
  return left === 0
    ? say("{days, plural, one {# day} other {# days}}", { days })
    : say("{days, plural, one {# day} other {# days}}, {left} left out", { days, left });
};
