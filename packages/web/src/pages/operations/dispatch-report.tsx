import type { operator, ReplyOf } from "@curtail/contract";
import { MAX_PAGE } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { OPERATOR } from "../../api/call.js";
import { useOperator, useOperatorList } from "../../api/use-call.js";
import { useIntervalTable } from "../../api/use-interval-table.js";
import { useWhole } from "../../api/use-whole.js";
import { AnsweredReport } from "../../parts/dispatch-report/answered-report.js";
import { Found } from "../../parts/found.js";
import { toldAccounts } from "../../rules/told-account.js";
import { PageTimes } from "../../ui/page-zone.js";
import { TextLink } from "../../ui/text-link.js";
import { actorWords } from "./audit/words.js";
import { useAccountNames } from "./use-accounts.js";
import { useNotified } from "./use-notified.js";

const route = getRouteApi("/operations/dispatches/$id/report");

/** A dispatch of all accounts as a document to print. */
export const DispatchReportPage = () => {
  const { id } = route.useParams();
  return (
    <Found of={useOperator("/dispatches/{id}", { params: { id } })} what="dispatch" back="/operations/dispatches">
      {(dispatch) => (
        <PageTimes isFixed timeZones={[dispatch.program.timezone]} whose={dispatch.program.name}>
          <Report dispatch={dispatch} />
        </PageTimes>
      )}
    </Found>
  );
};

const Report = ({ dispatch }: { readonly dispatch: ReplyOf<typeof operator.getAnyDispatch> }) => {
  const { version } = route.useSearch();
  const { id } = dispatch;
  const query = version === undefined ? {} : { version };
  const names = useAccountNames();
  const evidence = useWhole(
    useOperatorList("/dispatches/{id}/evidence", { params: { id }, query: { limit: MAX_PAGE } }),
  );
  const table = useIntervalTable(OPERATOR, dispatch, version);
  const notNotified = useNotified(id)?.notNotified ?? null;
  const [issued] = dispatch.revisions;
  return (
    <AnsweredReport
      performance={useOperator("/dispatches/{id}/performance", { params: { id }, query })}
      table={table}
      evidence={evidence}
      dispatch={dispatch}
      told={toldAccounts(dispatch, { evidence: evidence.items, names, notNotified })}
      issuedBy={issued === undefined ? null : actorWords(issued.actor, issued.actor_name)}
      accountNames={names}
      back={
        <TextLink to="/operations/dispatches/$id" params={{ id }} search={query}>
          {say("Back to the dispatch")}
        </TextLink>
      }
    />
  );
};
