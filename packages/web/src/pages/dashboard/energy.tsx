import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useUser } from "../../api/session.js";
import { useConsole } from "../../api/use-call.js";
import { mayWrite } from "../../rules/role.js";
import { ButtonLink } from "../../ui/button.js";
import { PageHead, Stack } from "../../ui/card.js";
import { type Choice, Select } from "../../ui/field.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Answered, Empty } from "../../ui/state.js";
import { Tabs } from "../../ui/tabs.js";
import { EnergyBars, zoneOf } from "./energy/energy-bars.js";
import { EnergyOfSite } from "./energy/energy-of-site.js";
import { EnergyPeriods } from "./energy/energy-periods.js";

type Site = participantConsole.SiteOverview;

const route = getRouteApi("/dashboard/energy");

/** Energy of the sites by hour, day or month, and the power of a site over a period. */
export const EnergyPage = () => (
  <>
    <PageHead title={say("Energy")} />
    <Answered of={useConsole("/overview", {})}>
      {({ sites, dispatches }) =>
        sites.length === 0 ? (
          <Empty>{say("No sites yet. Your operator adds them.")}</Empty>
        ) : (
          <Chosen sites={sites} current={dispatches.filter(({ state }) => state !== "cancelled")} />
        )
      }
    </Answered>
  </>
);

interface Shown {
  readonly sites: readonly Site[];
  /** Dispatches that are not over. */
  readonly current: readonly participantConsole.AccountDispatch[];
}

const Chosen = ({ sites, current }: Shown) => {
  // Links to a period are older than the bars.
  const {
    period,
    zoomFrom,
    view = period === undefined && zoomFrom === undefined ? "bars" : "power",
  } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Tabs
      chosen={view}
      onChoose={(next) => void navigate({ search: ({ site }) => ({ ...(site ? { site } : {}), view: next }) })}
      tabs={[
        { id: "bars", label: say("Energy"), content: () => <EnergyTab sites={sites} current={current} /> },
        { id: "power", label: say("Power"), content: () => <PowerTab sites={sites} /> },
      ]}
    />
  );
};

const ALL_SITES = "";

const SiteChoice = ({ sites, first }: { readonly sites: readonly Site[]; readonly first: readonly Choice[] }) => {
  const { site: id } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <div className="w-full sm:w-72">
      <Select
        label={say("Site")}
        value={id ?? first[0]?.value ?? sites[0]?.id ?? ""}
        onChange={({ target: { value } }) =>
          void navigate({
            search: ({ site: _site, ...before }) => ({ ...before, ...(value === ALL_SITES ? {} : { site: value }) }),
          })
        }
        choices={[...first, ...sites.map((each) => ({ value: each.id, label: each.name }))]}
      />
    </div>
  );
};

const EnergyTab = ({ sites, current }: Shown) => {
  const { site: id } = route.useSearch();
  const site = sites.find((each) => each.id === id) ?? null;
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      {sites.length > 1 && <SiteChoice sites={sites} first={[{ value: ALL_SITES, label: say("All sites") }]} />}
      {id !== undefined && site === null ? (
        <NoSuchSite />
      ) : site?.display_enabled === false ? (
        <NotVisible />
      ) : (
        <PageTimes
          isFixed
          timeZones={[site?.timezone ?? zoneOf(sites)]}
          whose={site?.name ?? say("most of your sites", {}, "whose time zone")}
        >
          <EnergyBars sites={sites} site={site} current={current} />
        </PageTimes>
      )}
    </div>
  );
};

const PowerTab = ({ sites }: Pick<Shown, "sites">) => {
  const { site: id } = route.useSearch();
  const writes = mayWrite(useUser());
  const site = id === undefined ? sites[0] : sites.find((each) => each.id === id);
  return (
    <Stack>
      <div className="flex flex-wrap items-end gap-3">
        <SiteChoice
          sites={sites}
          first={site === undefined ? [{ value: id ?? ALL_SITES, label: say("Choose a site") }] : []}
        />
        {site !== undefined && <EnergyPeriods timeZone={site.timezone} />}
        {site !== undefined && writes && (
          <ButtonLink to="/dashboard/energy/import" search={{ site: site.id }}>
            {say("Import meter data")}
          </ButtonLink>
        )}
      </div>
      {site === undefined ? (
        <NoSuchSite />
      ) : site.display_enabled ? (
        <PageTimes isFixed timeZones={[site.timezone]} whose={site.name}>
          <EnergyOfSite key={site.id} site={site} />
        </PageTimes>
      ) : (
        <NotVisible />
      )}
    </Stack>
  );
};

const NoSuchSite = () => <Empty>{say("Your account has no site at this address. Choose one of your sites.")}</Empty>;

const NotVisible = () => (
  <Empty>
    {say(
      "The data of this site is not visible yet. Your operator enables it once readings stream; readings are recorded meanwhile.",
    )}
  </Empty>
);
