import type { operator, ReplyOf } from "@curtail/contract";
import { getRouteApi } from "@tanstack/react-router";
import { mayWrite, useUser } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { PageHead } from "../../ui/card.js";
import { Tabs } from "../../ui/tabs.js";
import { useNow } from "../../ui/use-now.js";
import { awaited, DispatchBadges, periodOf } from "../dashboard/dispatch-state.js";
import { Found } from "../dashboard/found.js";
import { About } from "./dispatch/about.js";
import { DispatchActions } from "./dispatch/actions.js";
import { Deliveries } from "./dispatch/deliveries.js";
import { EvidenceTab } from "./dispatch/evidence.js";
import { PerformanceTab } from "./dispatch/performance.js";

const route = getRouteApi("/operations/dispatches/$id");

export type Dispatch = ReplyOf<typeof operator.getAnyDispatch>;

/** One dispatch: what is delivered, who was told, and what can be done about it. */
export const DispatchPage = () => {
  const { id } = route.useParams();
  return (
    <Found of={useOperator("/dispatches/{id}", { params: { id } })} what="dispatch" back="/operations/dispatches">
      {(dispatch) => <Page dispatch={dispatch} />}
    </Found>
  );
};

const Page = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { tab = "performance" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <Head dispatch={dispatch} />
      <Tabs
        chosen={tab}
        onChoose={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
        tabs={[
          { id: "performance", label: "Performance", content: () => <PerformanceTab dispatch={dispatch} /> },
          { id: "evidence", label: "Evidence", content: () => <EvidenceTab dispatch={dispatch} /> },
          { id: "deliveries", label: "Deliveries", content: () => <Deliveries dispatch={dispatch} /> },
          { id: "about", label: "About and history", content: () => <About dispatch={dispatch} /> },
        ]}
      />
    </>
  );
};

const Head = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const now = useNow();
  const writes = mayWrite(useUser());
  const waiting = awaited(dispatch, now);
  const { name, timezone } = dispatch.program;
  return (
    <PageHead
      title={name}
      lead={
        <>
          <span className="mr-2">
            <DispatchBadges dispatch={dispatch} now={now} />
          </span>
          {periodOf(dispatch, timezone)} <span className="whitespace-nowrap">({timezone})</span>
        </>
      }
      actions={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {waiting !== null && <span className="text-lg font-semibold wall:text-3xl">{waiting}</span>}
          {writes && <DispatchActions dispatch={dispatch} now={now} />}
        </div>
      }
    />
  );
};
