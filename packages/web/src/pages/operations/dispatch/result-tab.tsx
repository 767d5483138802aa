import { say } from "@curtail/words/page";
import { OPERATOR } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useOperator } from "../../../api/use-call.js";
import type { OperatorPerformance } from "../../../live/use-performance.js";
import { Difference } from "../../../parts/performance-difference.js";
import { PerformanceTotals } from "../../../parts/performance-totals.js";
import { PerformanceVersions } from "../../../parts/performance-versions.js";
import { SharedEnergyCard } from "../../../parts/shared-energy.js";
import { TableDownload } from "../../../parts/table-download.js";
import { whyNothing } from "../../../rules/judged.js";
import { mayWrite } from "../../../rules/role.js";
import { Card, Stack } from "../../../ui/card.js";
import { Answered } from "../../../ui/state.js";
import { TextLink } from "../../../ui/text-link.js";
import { ApproveResult } from "./approve-result.js";
import type { Dispatch } from "./dispatch.js";

/** The totals of a result, its versions and its files. */
export const ResultTab = ({
  dispatch,
  performance,
  version,
}: {
  readonly dispatch: Dispatch;
  readonly performance: OperatorPerformance;
  readonly version: number | undefined;
}) => {
  const writes = mayWrite(useUser());
  const timeZone = dispatch.program.timezone;
  const hasResult = whyNothing(performance) === null && performance.state !== "upcoming";
  return (
    <Stack>
      {hasResult && (
        <PerformanceTotals totals={performance.totals} state={performance.state} limits={performance.status_limits} />
      )}
      <SharedEnergyCard
        shared={useOperator("/dispatches/{id}/shared-energy", { params: { id: dispatch.id } }).data}
        timeZone={timeZone}
        link={(id, words) => (
          <TextLink to="/operations/dispatches/$id" params={{ id }} search={{ tab: "result" }}>
            {words}
          </TextLink>
        )}
      />
      {hasResult && <TableDownload base={OPERATOR} dispatchId={dispatch.id} version={version} hasSites />}
      <Card
        title={say("About these results")}
        actions={writes && version === undefined && <ApproveResult result={performance} />}
      >
        <PerformanceVersions
          performance={performance}
          timeZone={timeZone}
          page="/operations/dispatches/$id"
          difference={(to) => <VersionDifference id={dispatch.id} to={to} />}
        />
      </Card>
    </Stack>
  );
};

const VersionDifference = ({ id, to }: { readonly id: string; readonly to: number }) => (
  <Answered of={useOperator("/dispatches/{id}/performance/difference", { params: { id }, query: { to } })}>
    {(difference) => <Difference difference={difference} />}
  </Answered>
);
