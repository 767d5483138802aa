import type { ReportRequest } from "../contract/report.js";
import { AGGREGATED_REPORT } from "./names.js";

/** What a report answers to a dispatch. */
export interface OperatingAnswer {
  /** null: an error, which is no answer. */
  readonly opt: "optIn" | "optOut" | null;
  /** The reported state that decided it. */
  readonly state: string;
  /** The resources in this state, as the VEN names them. */
  readonly resourceNames: readonly string[];
}

const OPTED_OUT: readonly string[] = ["IDLE_OPTED_OUT", "RUNNING_OPTED_OUT"];
const IN_ERROR: readonly string[] = ["ERROR", "SGD_ERROR_CONDITION"];
const KNOWN: readonly string[] = [
  "NORMAL",
  "IDLE_NORMAL",
  "RUNNING_NORMAL",
  "RUNNING_CURTAILED",
  "RUNNING_HEIGHTENED",
  "IDLE_CURTAILED",
  "IDLE_HEIGHTENED",
  ...OPTED_OUT,
  ...IN_ERROR,
];

/**
 * What the last states of a report answer to the dispatch of its event; null if it has none. A VEN that reports the state
 * of resources for an event knows the event: that acknowledges it, whether they follow yet or not. One resource that
 * opted out makes it an opt-out; one in error, an error.
 */
export const answerOf = ({ resources }: ReportRequest): OperatingAnswer | null => {
  const states = resources.flatMap(({ resourceName, intervals }) => {
    const reported = intervals.flatMap(({ payloads }) =>
      payloads.flatMap(({ type, values }) => (type === "OPERATING_STATE" ? values : [])),
    );
    const last = reported.findLast((value) => typeof value === "string" && KNOWN.includes(value));
    return typeof last === "string" ? [{ resourceName, state: last }] : [];
  });
  const isIn = (group: readonly string[]) => states.filter(({ state }) => group.includes(state));
  const decisive = [isIn(OPTED_OUT), isIn(IN_ERROR), states].find((group) => group.length > 0);
  const [first] = decisive ?? [];
  if (decisive === undefined || first === undefined) return null;
  return {
    opt: OPTED_OUT.includes(first.state) ? "optOut" : IN_ERROR.includes(first.state) ? null : "optIn",
    state: first.state,
    resourceNames: decisive.map(({ resourceName }) => resourceName).filter((name) => name !== AGGREGATED_REPORT),
  };
};
