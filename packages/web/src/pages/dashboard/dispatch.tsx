import type { Dispatch } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useConsole } from "../../api/use-call.js";
import { power } from "../../format/quantity.js";
import { DispatchHead } from "../../parts/dispatch-head.js";
import { Found } from "../../parts/found.js";
import { SharedEnergyCard } from "../../parts/shared-energy.js";
import { committedKw, detailFacts } from "../../rules/dispatch-state.js";
import { typeWords } from "../../rules/program-draft.js";
import { Card, Facts, Stack } from "../../ui/card.js";
import { Exact, PageTimes, usePageZone } from "../../ui/page-zone.js";
import { Tabs } from "../../ui/tabs.js";
import { TextLink } from "../../ui/text-link.js";
import { DispatchEvidence } from "./dispatch/evidence.js";
import { DispatchPerformanceTab } from "./dispatch/performance.js";
import { usePageRead } from "./dispatch/use-page-read.js";

const route = getRouteApi("/dashboard/dispatches/$id");

/** One dispatch: its performance, and how the account was notified. */
export const DispatchPage = () => {
  const { id } = route.useParams();
  return (
    <Found of={useConsole("/dispatches/{id}", { params: { id } })} what="dispatch" back="/dashboard/dispatches">
      {(dispatch) => (
        <PageTimes timeZones={[dispatch.program.timezone]} whose={dispatch.program.name}>
          <Page dispatch={dispatch} />
        </PageTimes>
      )}
    </Found>
  );
};

const Page = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  usePageRead(dispatch);
  const { tab = "performance", version } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <DispatchHead dispatch={dispatch}>
        <TextLink
          to="/dashboard/dispatches/$id/report"
          params={{ id: dispatch.id }}
          search={version === undefined ? {} : { version }}
        >
          {say("Report")}
        </TextLink>
      </DispatchHead>
      <SharedEnergyCard
        shared={useConsole("/dispatches/{id}/shared-energy", { params: { id: dispatch.id } }).data}
        timeZone={usePageZone()}
        link={(id, words) => (
          <TextLink to="/dashboard/dispatches/$id" params={{ id }}>
            {words}
          </TextLink>
        )}
      />
      <Tabs
        chosen={tab}
        onChoose={(next) => void navigate({ search: (before) => ({ ...before, tab: next }) })}
        tabs={[
          {
            id: "performance",
            label: say("Performance"),
            content: () => <DispatchPerformanceTab dispatch={dispatch} />,
          },
          { id: "told", label: say("How you were notified"), content: () => <DispatchEvidence dispatch={dispatch} /> },
          { id: "about", label: say("About"), content: () => <About dispatch={dispatch} /> },
        ]}
      />
    </>
  );
};

const About = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { program, sites, modification_number } = dispatch;
  return (
    <Stack>
      <Card title={say("Dispatch details")}>
        <Facts
          facts={[
            [say("Start", {}, "noun"), <Exact key="start" at={dispatch.start_time} />],
            [say("End"), dispatch.end_time === null ? say("not set yet") : <Exact key="end" at={dispatch.end_time} />],
            [say("Issued"), <Exact key="issued" at={dispatch.creation_time} />],
            [
              say("Changed"),
              modification_number === 0
                ? say("never")
                : say("{n, plural, one {# time} other {# times}}", { n: modification_number }),
            ],
            [say("Program"), `${program.name}${program.market === "" ? "" : `, ${program.market}`}`],
            [say("Kind"), typeWords[program.program_type]],
            [say("Commitment"), power(committedKw(dispatch))],
            [say("Sites"), sites.map((site) => `${site.name} (${power(site.commitment)})`).join(", ")],
            ...detailFacts(dispatch),
            [say("Id"), <code key="id">{dispatch.id}</code>],
          ]}
        />
      </Card>
    </Stack>
  );
};
