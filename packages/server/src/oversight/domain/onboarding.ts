import type { PerformanceState } from "../../performance/domain/performance.js";
import type { StatusSetting } from "../../portfolio/domain/measurement.js";

/** A meter, and the received share of its readings in the last hour. */
interface MeterStream {
  readonly name: string;
  readonly completeness: number;
}

/** What a site delivered over the whole length of a test. */
export interface TestResult {
  readonly meanReductionKw: number | null;
  /** Mean reduction divided by commitment; null without a commitment. */
  readonly performance: number | null;
  readonly coverage: number | null;
  readonly status: { readonly colour: "red" | "amber" | "green" | "blue" | "grey"; readonly words: string };
}

/** A test dispatch of a single site. */
export interface SiteTest {
  readonly dispatchId: string;
  readonly state: PerformanceState;
  readonly start: Date;
  readonly end: Date | null;
  /** When it ended or was cancelled; null before. */
  readonly overAt: Date | null;
  /** Whether there is evidence that the account was notified or polled. */
  readonly learnt: boolean;
  readonly commitmentKw: number | null;
  readonly limits: Pick<StatusSetting, "amberFrom" | "leastCoverage">;
  /** null while unknown. */
  readonly result: TestResult | null;
}

export interface OnboardingFacts {
  readonly displayedSince: Date | null;
  readonly meters: readonly MeterStream[];
  /** Newest first. */
  readonly tests: readonly SiteTest[];
}

export interface OnboardingStep {
  readonly step: "data_streaming" | "display_enabled" | "dispatch_verified";
  readonly done: boolean;
  readonly at: Date | null;
  readonly detail: string;
}

export interface Verification extends SiteTest {
  readonly passed: boolean;
  readonly reason: string;
}

/** Received share of the last hour's readings from which a meter counts as streaming. */
const STREAMING_FROM = 0.9;

/** The newest test that passed, or else the newest. */
export const verificationOf = (tests: readonly SiteTest[]): Verification | null => {
  const judged = tests.map((test): Verification => {
    const fault = faultOf(test);
    return {
      ...test,
      passed: fault === null,
      reason: fault ?? "the site delivered the reduction that its program requires",
    };
  });
  return judged.find(({ passed }) => passed) ?? judged[0] ?? null;
};

export const onboardingSteps = ({ displayedSince, meters }: OnboardingFacts, verification: Verification | null) =>
  [streamingStep(meters), displayStep(displayedSince), verifiedStep(verification)] as const;

const streamingStep = (meters: readonly MeterStream[]): OnboardingStep => {
  const lacking = meters.filter(({ completeness }) => completeness < STREAMING_FROM);
  const done = meters.length > 0 && lacking.length === 0;
  return { step: "data_streaming", done, at: null, detail: streamingDetail(meters, lacking) };
};

const NAMED = 5;

const streamingDetail = (meters: readonly MeterStream[], lacking: readonly MeterStream[]): string => {
  if (meters.length === 0) return "the site has no meters yet";
  if (lacking.length === 0) return "every meter sent at least 90 % of the last hour's readings";
  const named = lacking.slice(0, NAMED).map(({ name, completeness }) => `${name} ${Math.floor(completeness * 100)} %`);
  const more = lacking.length > NAMED ? ` and ${lacking.length - NAMED} more` : "";
  return `every meter must send at least 90 % of the last hour's readings; received: ${named.join(", ")}${more}`;
};

const displayStep = (displayedSince: Date | null): OnboardingStep => ({
  step: "display_enabled",
  done: displayedSince !== null,
  at: displayedSince,
  detail:
    displayedSince === null
      ? "the operator enables data visibility once the site's data streams"
      : "the site's data is visible",
});

const verifiedStep = (verification: Verification | null): OnboardingStep => {
  const done = verification?.passed === true;
  return {
    step: "dispatch_verified",
    done,
    at: done ? verification.overAt : null,
    detail: verification?.reason ?? "no test dispatch for this site alone yet",
  };
};

/** Why a test did not pass; null if it did. Without measured numbers, which not everybody may see. */
const faultOf = (test: SiteTest): string | null => {
  switch (test.state) {
    case "upcoming":
      return "the test has not started yet";
    case "in_progress":
      return "the test is in progress";
    case "cancelled":
      return "the test was cancelled";
    case "ended":
    case "final":
      return test.learnt ? resultFault(test) : UNTOLD;
  }
};

const UNTOLD =
  "the account was not notified of the test: it did not poll, fetch or acknowledge it, and no webhook accepted it";

const resultFault = ({ result, limits }: SiteTest): string | null => {
  if (result === null) return "the result is being measured; check again in a moment";
  const { meanReductionKw, coverage, performance, status } = result;
  if (meanReductionKw === null) return `the result could not be measured: ${status.words}`;
  if (coverage !== null && coverage < limits.leastCoverage) return "too few readings during the test";
  if (performance === null) return meanReductionKw > 0 ? null : "the site did not reduce its load";
  return performance < limits.amberFrom ? "the site delivered less of its commitment than its program requires" : null;
};
