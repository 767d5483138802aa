import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { callOperator } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useOperator, useOperatorList } from "../../api/use-call.js";
import { useWhole } from "../../api/use-whole.js";
import { Found } from "../../parts/found.js";
import { ImportMeterData } from "../../parts/meter-data/import-meter-data.js";
import type { MeterDataScope } from "../../parts/meter-data/scope.js";
import { mayWrite } from "../../rules/role.js";
import { Card, PageHead } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Empty } from "../../ui/state.js";
import { TextLink } from "../../ui/text-link.js";
import type { Site } from "./site/site-columns.js";

const route = getRouteApi("/operations/sites/$id/meter-data");

/** Imports meter data of a site from a file. */
export const SiteMeterDataPage = () => {
  const { id } = route.useParams();
  const writes = mayWrite(useUser());
  return (
    <Found of={useOperator("/sites/{id}", { params: { id } })} what="site" back="/operations/sites">
      {(site) => (
        <PageTimes isFixed timeZones={[site.timezone]} whose={site.name}>
          <PageHead
            title={say("Import meter data")}
            tab={say("Import meter data · {site}", { site: site.name })}
            lead={
              <TextLink to="/operations/sites/$id" params={{ id }}>
                {site.name}
              </TextLink>
            }
          />
          {writes ? (
            <Importing site={site} />
          ) : (
            <Card>
              <Empty>{say("Your role is read-only: auditors cannot import.")}</Empty>
            </Card>
          )}
        </PageTimes>
      )}
    </Found>
  );
};

const Importing = ({ site: { id, account_id, meters, timezone } }: { readonly site: Site }) => {
  const navigate = route.useNavigate();
  const ofAccount = { params: { id: account_id } };
  const scope: MeterDataScope = {
    meters,
    timezone,
    profiles: {
      kept: useWhole(useOperatorList("/accounts/{id}/mapping-profiles", ofAccount)),
      layouts: useOperator("/mapping-layouts", {}).data?.items ?? [],
      save: (body) => callOperator("POST", "/accounts/{id}/mapping-profiles", { ...ofAccount, body }),
      remove: (profile) => callOperator("DELETE", "/mapping-profiles/{id}", { params: { id: profile } }),
    },
    send: (body, query) => callOperator("PUT", "/sites/{id}/meter-data", { params: { id }, query, body }),
  };
  return (
    <ImportMeterData scope={scope} onDone={() => void navigate({ to: "/operations/sites/$id", params: { id } })} />
  );
};
