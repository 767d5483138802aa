import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { Environment, type EnvironmentName } from "../../parts/environment.js";
import { PageHead } from "../../ui/card.js";
import { sayParts } from "../../ui/say-parts.js";
import { Tabs } from "../../ui/tabs.js";
import { BusinessLogic } from "./openadr3/business-logic.js";
import { OwnEvents } from "./openadr3/own-events.js";
import { OwnPrograms } from "./openadr3/own-programs.js";

const route = getRouteApi("/operations/openadr3");

/** What the operator sends to VENs of OpenADR 3.1 in addition to dispatches: prices, limits and alerts. */
export const Openadr3Page = () => {
  const { tab, environment } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen: EnvironmentName = environment === "sandbox" ? "sandbox" : "production";
  const tabs = [
    { id: "events", label: say("Events"), content: () => <OwnEvents environment={chosen} /> },
    { id: "programs", label: say("Programs"), content: () => <OwnPrograms environment={chosen} /> },
    { id: "business-logic", label: say("Business logic"), content: () => <BusinessLogic /> },
  ];
  return (
    <>
      <PageHead
        title="OpenADR 3"
        lead={sayParts(
          "Prices, emissions, capacity limits and alerts for VENs. Dispatches need nothing here. <a>How it works</a>",
          {
            a: (inside) => (
              <a href="/docs/openadr3.html" className="text-accent underline">
                {inside}
              </a>
            ),
          },
        )}
        actions={chosen === "sandbox" && <Environment of="sandbox" />}
      />
      <Tabs
        tabs={tabs}
        chosen={tabs.some(({ id }) => id === tab) ? (tab ?? "events") : "events"}
        onChoose={(id) => void navigate({ search: (before) => ({ ...before, tab: id }) })}
      />
    </>
  );
};
