import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useUser } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { Found } from "../../parts/found.js";
import { SimulatedMark } from "../../parts/simulated-mark.js";
import { mayWrite } from "../../rules/role.js";
import { ButtonLink } from "../../ui/button.js";
import { PageHead, Stack } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { AddressLink } from "../../ui/text-link.js";
import { AccountOf } from "./account-link.js";
import { NextStep } from "./first-steps/next-step.js";
import { ResultsOf } from "./past-dispatches/results-of.js";
import { DisplayOffer } from "./site/display-offer.js";
import { Enrolments } from "./site/enrolments.js";
import { ExcludedDays } from "./site/excluded-days.js";
import { FirstReadings } from "./site/first-readings.js";
import { Meters } from "./site/meters.js";
import { Onboarding } from "./site/onboarding.js";
import { Schedule } from "./site/schedule.js";
import { SiteFacts } from "./site/site-facts.js";
import { Today } from "./site/today.js";

const route = getRouteApi("/operations/sites/$id");

/** One site: settings, meters, enrolments, telemetry and onboarding. */
export const SitePage = () => {
  const { id } = route.useParams();
  const writes = mayWrite(useUser());
  return (
    <Found
      of={useOperator("/sites/{id}", { params: { id } }, { everyMs: 15_000 })}
      what="site"
      back="/operations/sites"
    >
      {(site) => (
        <PageTimes isFixed timeZones={[site.timezone]} whose={site.name}>
          <PageHead
            title={site.name}
            tab={say("{name} · Site", { name: site.name })}
            lead={
              <>
                <AccountOf id={site.account_id} tab="sites" />
                <SimulatedMark of={site} />
              </>
            }
            actions={
              <>
                {writes && (
                  <ButtonLink to="/operations/sites/$id/meter-data" params={{ id }}>
                    {say("Import meter data")}
                  </ButtonLink>
                )}
                <AddressLink to={`/operations/telemetry/${id}`}>{say("Telemetry health")}</AddressLink>
              </>
            }
          />
          <NextStep />
          <DisplayOffer site={site} writes={writes} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <Stack>
              <FirstReadings key={id} site={site} writes={writes} />
              <Today site={site} />
              <Meters site={site} writes={writes} />
              <Enrolments site={site} writes={writes} />
            </Stack>
            <Stack>
              <SiteFacts site={site} writes={writes} />
              <Onboarding site={site} writes={writes} />
              <Schedule site={site} writes={writes} />
              <ExcludedDays site={site} writes={writes} />
            </Stack>
          </div>
          <div className="mt-4">
            <ResultsOf of={{ site: id }} />
          </div>
        </PageTimes>
      )}
    </Found>
  );
};
