import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { callConsole } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useConsole, useConsoleList } from "../../api/use-call.js";
import { useWhole } from "../../api/use-whole.js";
import { ImportMeterData } from "../../parts/meter-data/import-meter-data.js";
import type { MeterDataScope } from "../../parts/meter-data/scope.js";
import { mayWrite } from "../../rules/role.js";
import { Card, PageHead } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Answered, Empty } from "../../ui/state.js";
import { TextLink } from "../../ui/text-link.js";

type Site = participantConsole.SiteOverview;

const route = getRouteApi("/dashboard/energy/import");

/** Imports meter data of one of the account's sites from a file. */
export const ImportMeterDataPage = () => {
  const { site: id } = route.useSearch();
  return (
    <Answered of={useConsole("/overview", {})}>
      {({ sites }) => <ImportPage site={sites.find((site) => site.id === id)} />}
    </Answered>
  );
};

const ImportPage = ({ site }: { readonly site: Site | undefined }) => {
  const navigate = route.useNavigate();
  const writes = mayWrite(useUser());
  const energy = { view: "power", ...(site === undefined ? {} : { site: site.id }) };
  const why = writes ? say("Your account has no site at this address.") : say("Your role is read-only.");
  return (
    <>
      <PageHead
        title={say("Import meter data")}
        lead={
          <TextLink to="/dashboard/energy" search={energy}>
            {site?.name ?? say("Energy")}
          </TextLink>
        }
      />
      {site === undefined || !writes ? (
        <Card>
          <Empty>{why}</Empty>
        </Card>
      ) : (
        <PageTimes isFixed timeZones={[site.timezone]} whose={site.name}>
          <Importing
            key={site.id}
            site={site}
            onDone={() => void navigate({ to: "/dashboard/energy", search: energy })}
          />
        </PageTimes>
      )}
    </>
  );
};

const Importing = ({
  site: { id, meters, timezone },
  onDone,
}: {
  readonly site: Site;
  readonly onDone: () => void;
}) => {
  const scope: MeterDataScope = {
    meters,
    timezone,
    profiles: {
      kept: useWhole(useConsoleList("/mapping-profiles", {})),
      layouts: useConsole("/mapping-layouts", {}).data?.items ?? [],
      save: (body) => callConsole("POST", "/mapping-profiles", { body }),
      remove: (profile) => callConsole("DELETE", "/mapping-profiles/{id}", { params: { id: profile } }),
    },
    send: (body, query) => callConsole("PUT", "/sites/{id}/meter-data", { params: { id }, query, body }),
  };
  return <ImportMeterData scope={scope} onDone={onDone} />;
};
