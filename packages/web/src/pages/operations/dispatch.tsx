import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useUser } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { count } from "../../format/quantity.js";
import { Found } from "../../parts/found.js";
import { replayOf } from "../../rules/replay.js";
import { mayWrite } from "../../rules/role.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Waiting } from "../../ui/state.js";
import { type Tab, Tabs } from "../../ui/tabs.js";
import { TextLink } from "../../ui/text-link.js";
import { useNow } from "../../ui/use-now.js";
import { About } from "./dispatch/about.js";
import { DispatchActions } from "./dispatch/actions.js";
import { DispatchDeliveries } from "./dispatch/deliveries.js";
import type { Dispatch } from "./dispatch/dispatch.js";
import { EvidenceTab } from "./dispatch/evidence.js";
import { InPageZone } from "./dispatch/in-page-zone.js";
import { Overview } from "./dispatch/overview.js";
import { ReplayBand } from "./dispatch/replay-band.js";
import { ResultTab } from "./dispatch/result-tab.js";
import { type ShownResult, WithResult } from "./dispatch/shown-result.js";
import { SitesTab } from "./dispatch/sites-tab.js";
import { Timeline } from "./dispatch/timeline.js";
import { useKnown } from "./dispatch/use-known.js";
import { type MomentInAddress, useReplay } from "./dispatch/use-replay.js";
import { useReplayKeys } from "./dispatch/use-replay-keys.js";
import { useView } from "./dispatch/use-view.js";

const route = getRouteApi("/operations/dispatches/$id");

/** One dispatch: what it delivers and lacks, who was not notified, what happened, and all of that at any moment of the past. */
export const DispatchPage = () => {
  const { id } = route.useParams();
  const { version } = route.useSearch();
  return (
    <Found of={useOperator("/dispatches/{id}", { params: { id } })} what="dispatch" back="/operations/dispatches">
      {(dispatch) => (
        <PageTimes timeZones={[dispatch.program.timezone]} whose={dispatch.program.name}>
          <InPageZone dispatch={dispatch}>
            {(shown) => (
              <WithResult dispatch={shown} version={version}>
                {(result) => <Page key={id} dispatch={shown} result={result} version={version} />}
              </WithResult>
            )}
          </InPageZone>
        </PageTimes>
      )}
    </Found>
  );
};

interface Shown {
  readonly dispatch: Dispatch;
  readonly result: ShownResult;
  readonly version: number | undefined;
}

const useMomentInAddress = (): MomentInAddress => {
  const { at: text } = route.useSearch();
  const navigate = route.useNavigate();
  const write: MomentInAddress["write"] = (next, replace) =>
    void navigate({
      search: ({ at: _before, ...rest }) => (next === undefined ? rest : { ...rest, at: next }),
      replace,
      resetScroll: false,
    });
  return { text, write };
};

const Page = ({ dispatch, result, version }: Shown) => {
  const replay = useReplay(() => replayOf(dispatch, new Date()), useMomentInAddress());
  const known = useKnown(dispatch, replay.at);
  const view = useView({ dispatch, result, version, known, at: replay.at });
  const writes = mayWrite(useUser());
  useReplayKeys(say("Dispatch", {}, "noun"), replay);
  return (
    <>
      <ReplayBand dispatch={dispatch} replay={replay} performance={result.performance} />
      <Overview dispatch={dispatch} result={result} version={version} known={known} view={view} replay={replay}>
        {replay.at === null && (
          <>
            <TextLink
              to="/operations/dispatches/$id/report"
              params={{ id: dispatch.id }}
              search={version === undefined ? {} : { version }}
            >
              {say("Report", {}, "noun")}
            </TextLink>
            <TextLink to="/operations/map" search={{ dispatch: dispatch.id }}>
              {say("Map")}
            </TextLink>
            {writes && <Actions dispatch={dispatch} />}
          </>
        )}
      </Overview>
      <PageTabs dispatch={dispatch} result={result} version={version} view={view} isReplay={replay.at !== null} />
    </>
  );
};

const Actions = ({ dispatch }: { readonly dispatch: Dispatch }) => (
  <DispatchActions dispatch={dispatch} now={useNow()} />
);

const PageTabs = ({
  dispatch,
  result,
  version,
  view,
  isReplay,
}: Shown & { readonly view: ReturnType<typeof useView>; readonly isReplay: boolean }) => {
  const { tab = "performance" } = route.useSearch();
  const navigate = route.useNavigate();
  const { performance } = result;
  const tabs: readonly Tab[] = [
    {
      id: "performance",
      label: say("Sites {n}", { n: count(dispatch.sites.length) }),
      content: () => <SitesTab dispatch={dispatch} result={result} version={version} view={view} isReplay={isReplay} />,
    },
    {
      id: "evidence",
      label: say("Accounts {n}", { n: count(view.accounts) }),
      content: () => <EvidenceTab dispatch={dispatch} />,
    },
    { id: "deliveries", label: say("Deliveries"), content: () => <DispatchDeliveries dispatch={dispatch} /> },
    {
      id: "result",
      label: say("Result"),
      content: () =>
        performance === null ? (
          <Waiting />
        ) : (
          <ResultTab dispatch={dispatch} performance={performance} version={version} />
        ),
    },
    {
      id: "about",
      label: say("About and history"),
      content: () => (
        <div className="grid gap-4">
          <Timeline dispatch={dispatch} />
          <About dispatch={dispatch} />
        </div>
      ),
    },
  ];
  // The others would show what was not known then.
  const shown = isReplay ? tabs.slice(0, 1) : tabs;
  return (
    <Tabs
      chosen={isReplay ? "performance" : tab}
      onChoose={(next) => void navigate({ search: (before) => ({ ...before, tab: next }) })}
      tabs={shown}
    />
  );
};
