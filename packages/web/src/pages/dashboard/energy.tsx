import type { participantConsole } from "@curtail/contract";
import { getRouteApi } from "@tanstack/react-router";
import { callConsole } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useConsole } from "../../api/use-call.js";
import { ImportMeterData } from "../../parts/import-meter-data.js";
import type { MeterDataScope } from "../../parts/meter-data-scope.js";
import { mayWrite } from "../../rules/role.js";
import { PageHead, Stack } from "../../ui/card.js";
import { Select } from "../../ui/field.js";
import { Answered, Empty } from "../../ui/state.js";
import { EnergyOfSite } from "./energy/energy-of-site.js";
import { EnergyPeriods } from "./energy/energy-periods.js";

type Site = participantConsole.SiteOverview;

const route = getRouteApi("/dashboard/energy");

const scopeOf = ({ id, meters, timezone }: Site): MeterDataScope => ({
  meters,
  timezone,
  send: (body, query) => callConsole("PUT", "/sites/{id}/meter-data", { params: { id }, query, body }),
});

/** Power and energy of a site over a period. */
export const EnergyPage = () => (
  <>
    <PageHead title="Energy" />
    <Answered of={useConsole("/overview", {})}>
      {({ sites }) =>
        sites.length === 0 ? <Empty>No sites yet. Your operator adds them.</Empty> : <Chosen sites={sites} />
      }
    </Answered>
  </>
);

const Chosen = ({ sites }: { readonly sites: readonly Site[] }) => {
  const { site: id } = route.useSearch();
  const navigate = route.useNavigate();
  const writes = mayWrite(useUser());
  const site = id === undefined ? sites[0] : sites.find((each) => each.id === id);
  return (
    <Stack>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-full sm:w-72">
          <Select
            label="Site"
            value={site?.id ?? ""}
            onChange={(event) => void navigate({ search: (before) => ({ ...before, site: event.target.value }) })}
            choices={[
              ...(site === undefined ? [{ value: "", label: "Choose a site" }] : []),
              ...sites.map((each) => ({ value: each.id, label: each.name })),
            ]}
          />
        </div>
        {site !== undefined && <EnergyPeriods timeZone={site.timezone} />}
        {site !== undefined && writes && <ImportMeterData key={site.id} scope={scopeOf(site)} />}
      </div>
      {site === undefined ? (
        <Empty>Your account has no site at this address. Choose one of your sites.</Empty>
      ) : site.display_enabled ? (
        <EnergyOfSite key={site.id} site={site} />
      ) : (
        <Empty>
          The data of this site is not visible yet. Your operator enables it once readings stream; readings are recorded
          meanwhile.
        </Empty>
      )}
    </Stack>
  );
};
