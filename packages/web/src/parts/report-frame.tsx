import { say } from "@curtail/words/page";
import { type ReactNode, useState } from "react";
import { localDay } from "../format/local-time.js";
import { OWN_ZONE } from "../format/time.js";
import { type ReportPeriod, type ReportSearch, reportPeriod } from "../rules/report-period.js";
import { Card, PageHead, Stack } from "../ui/card.js";
import { Empty } from "../ui/state.js";
import { ReportPeriods } from "./report-periods.js";

/** The page of reports around what differs by side: choices besides the period, and the report. */
export const ReportFrame = ({
  lead,
  search,
  onChange,
  choices,
  report,
}: {
  readonly lead: string;
  readonly search: ReportSearch;
  /** Changes a part of the address; an empty text removes a parameter. */
  readonly onChange: (part: ReportSearch) => void;
  readonly choices: ReactNode;
  readonly report: (period: ReportPeriod) => ReactNode;
}) => {
  const [today] = useState(() => localDay(new Date(), OWN_ZONE));
  const period = reportPeriod(search, today);
  return (
    <>
      <PageHead title={say("Reports")} lead={lead} />
      <Stack>
        <Card flush>
          <ReportPeriods search={search} period={period} onChange={onChange} />
          {choices}
        </Card>
        {period === null ? (
          <Empty>{say("Choose a first day, and a last day that is not before it.")}</Empty>
        ) : (
          report(period)
        )}
      </Stack>
    </>
  );
};
