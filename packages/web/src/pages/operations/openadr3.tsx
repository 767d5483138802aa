import { getRouteApi } from "@tanstack/react-router";
import { Environment, EnvironmentField, type EnvironmentName } from "../../parts/environment.js";
import { Card, PageHead } from "../../ui/card.js";
import { Tabs } from "../../ui/tabs.js";
import { BusinessLogic } from "./openadr3/business-logic.js";
import { OwnEvents } from "./openadr3/own-events.js";
import { OwnPrograms } from "./openadr3/own-programs.js";

const route = getRouteApi("/operations/openadr3");

/** What the operator tells VENs of OpenADR 3.1 besides dispatches: prices, limits and alerts. */
export const Openadr3Page = () => {
  const { tab, environment } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen: EnvironmentName = environment === "sandbox" ? "sandbox" : "production";
  const tabs = [
    { id: "events", label: "Events", content: () => <OwnEvents environment={chosen} /> },
    { id: "programs", label: "Programs", content: () => <OwnPrograms environment={chosen} /> },
    { id: "business-logic", label: "Business logic", content: () => <BusinessLogic /> },
  ];
  return (
    <>
      <PageHead
        title="OpenADR 3"
        lead={
          <>
            Prices, emissions, capacity limits and alerts for VENs. Dispatches reach them without these.{" "}
            <a href="/docs/openadr3.html" className="text-accent underline">
              How it works
            </a>
          </>
        }
        actions={chosen === "sandbox" && <Environment of="sandbox" />}
      />
      <Tabs
        tabs={tabs}
        chosen={tabs.some(({ id }) => id === tab) ? (tab ?? "events") : "events"}
        onChoose={(id) => void navigate({ search: (before) => ({ ...before, tab: id }) })}
      />
      {tab !== "business-logic" && (
        <div className="mt-4">
          <Card>
            <div className="max-w-xs">
              <EnvironmentField
                value={chosen}
                onChange={(to) => void navigate({ search: (before) => ({ ...before, environment: to }) })}
                hint="The sandbox has programs and events of its own."
              />
            </div>
          </Card>
        </div>
      )}
    </>
  );
};
