import { getRouteApi } from "@tanstack/react-router";
import { useUser } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { DispatchHead } from "../../parts/dispatch-head.js";
import { Found } from "../../parts/found.js";
import { SharedEnergyCard } from "../../parts/shared-energy.js";
import { mayWrite } from "../../rules/role.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Tabs } from "../../ui/tabs.js";
import { TextLink } from "../../ui/text-link.js";
import { useNow } from "../../ui/use-now.js";
import { About } from "./dispatch/about.js";
import { DispatchActions } from "./dispatch/actions.js";
import { DispatchDeliveries } from "./dispatch/deliveries.js";
import type { Dispatch } from "./dispatch/dispatch.js";
import { EvidenceTab } from "./dispatch/evidence.js";
import { PerformanceTab } from "./dispatch/performance.js";
import { Timeline } from "./dispatch/timeline.js";

const route = getRouteApi("/operations/dispatches/$id");

/** One dispatch: its performance, evidence and actions. */
export const DispatchPage = () => {
  const { id } = route.useParams();
  return (
    <Found
      of={useOperator("/dispatches/{id}", { params: { id } })}
      what="dispatch"
      back="/operations/dispatches"
      all="dispatches"
    >
      {(dispatch) => (
        <PageTimes timeZones={[dispatch.program.timezone]} whose={dispatch.program.name}>
          <Page dispatch={dispatch} />
        </PageTimes>
      )}
    </Found>
  );
};

const Page = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { tab = "performance", version } = route.useSearch();
  const navigate = route.useNavigate();
  const writes = mayWrite(useUser());
  return (
    <>
      <DispatchHead dispatch={dispatch}>
        <TextLink
          to="/operations/dispatches/$id/report"
          params={{ id: dispatch.id }}
          search={version === undefined ? {} : { version }}
        >
          Report
        </TextLink>
        {writes && <Actions dispatch={dispatch} />}
      </DispatchHead>
      <div className="mb-4">
        <Timeline dispatch={dispatch} />
      </div>
      <SharedEnergyCard
        shared={useOperator("/dispatches/{id}/shared-energy", { params: { id: dispatch.id } }).data}
        timeZone={dispatch.program.timezone}
        link={(id, words) => (
          <TextLink to="/operations/dispatches/$id" params={{ id }}>
            {words}
          </TextLink>
        )}
      />
      <Tabs
        chosen={tab}
        onChoose={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
        tabs={[
          { id: "performance", label: "Performance", content: () => <PerformanceTab dispatch={dispatch} /> },
          { id: "evidence", label: "Evidence", content: () => <EvidenceTab dispatch={dispatch} /> },
          { id: "deliveries", label: "Deliveries", content: () => <DispatchDeliveries dispatch={dispatch} /> },
          { id: "about", label: "About and history", content: () => <About dispatch={dispatch} /> },
        ]}
      />
    </>
  );
};

const Actions = ({ dispatch }: { readonly dispatch: Dispatch }) => (
  <DispatchActions dispatch={dispatch} now={useNow()} />
);
