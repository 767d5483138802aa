import { say } from "@curtail/words/page";
import { whyNothing } from "../../rules/judged.js";
import { Answered, type Asked, Empty } from "../../ui/state.js";
import { DispatchReport, type ReportOf } from "./report.js";

/** A report once its parts are there; a dispatch without results has none. */
export const AnsweredReport = ({
  performance,
  table,
  evidence,
  ...of
}: Omit<ReportOf, "performance" | "table"> & {
  readonly performance: Asked<ReportOf["performance"]>;
  readonly table: Asked<ReportOf["table"]>;
  readonly evidence: { readonly isWhole: boolean; readonly error: Error | null };
}) => (
  <Answered of={performance}>
    {(measured) => {
      const nothing = whyNothing(measured);
      return nothing !== null ? (
        <Empty>
          {nothing} {say("There is nothing to report.")}
        </Empty>
      ) : (
        <Answered of={evidence.isWhole || evidence.error !== null ? table : { data: undefined, error: null }}>
          {(intervals) => <DispatchReport {...of} performance={measured} table={intervals} />}
        </Answered>
      );
    }}
  </Answered>
);
