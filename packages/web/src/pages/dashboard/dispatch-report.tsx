import type { Dispatch } from "@curtail/contract";
import { MAX_PAGE } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { CONSOLE } from "../../api/call.js";
import { useConsole, useConsoleList } from "../../api/use-call.js";
import { useIntervalTable } from "../../api/use-interval-table.js";
import { useWhole } from "../../api/use-whole.js";
import { AnsweredReport } from "../../parts/dispatch-report/answered-report.js";
import { Found } from "../../parts/found.js";
import { PageTimes } from "../../ui/page-zone.js";
import { TextLink } from "../../ui/text-link.js";

const route = getRouteApi("/dashboard/dispatches/$id/report");

/** A dispatch of one's own sites as a document to print. */
export const DispatchReportPage = () => {
  const { id } = route.useParams();
  return (
    <Found of={useConsole("/dispatches/{id}", { params: { id } })} what="dispatch" back="/dashboard/dispatches">
      {(dispatch) => (
        <PageTimes isFixed timeZones={[dispatch.program.timezone]} whose={dispatch.program.name}>
          <Report dispatch={dispatch} />
        </PageTimes>
      )}
    </Found>
  );
};

const Report = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { version } = route.useSearch();
  const { id, sites } = dispatch;
  const query = version === undefined ? {} : { version };
  const evidence = useWhole(
    useConsoleList("/dispatches/{id}/evidence", { params: { id }, query: { limit: MAX_PAGE } }),
  );
  const table = useIntervalTable(CONSOLE, dispatch, version);
  const own = {
    accountId: "own",
    name: say("Your account"),
    sites: sites.length,
    evidence: evidence.items,
    isNotified: null,
  };
  return (
    <AnsweredReport
      performance={useConsole("/dispatches/{id}/performance", { params: { id }, query })}
      table={table}
      evidence={evidence}
      dispatch={dispatch}
      told={[own]}
      issuedBy={null}
      accountNames={null}
      back={
        <TextLink to="/dashboard/dispatches/$id" params={{ id }} search={query}>
          {say("Back to the dispatch")}
        </TextLink>
      }
    />
  );
};
