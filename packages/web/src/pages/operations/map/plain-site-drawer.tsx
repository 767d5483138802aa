import { say } from "@curtail/words/page";
import { useOperator } from "../../../api/use-call.js";
import { coordinatesText } from "../../../rules/coordinates.js";
import { neighboursOf } from "../../../rules/shortfall.js";
import { Card, Facts, Stack } from "../../../ui/card.js";
import { Drawer } from "../../../ui/drawer.js";
import { Answered } from "../../../ui/state.js";
import { TextLink } from "../../../ui/text-link.js";
import { AccountOf } from "../account-link.js";
import { Meters, type StepList } from "../dispatch/site-drawer.js";

/** A site that is in no dispatch: where it is, and what its meters measure. */
export const PlainSiteDrawer = ({ siteId, list }: { readonly siteId: string; readonly list: StepList }) => {
  const site = useOperator("/sites/{id}", { params: { id: siteId } });
  const { previous, next, place } = neighboursOf(
    list.found.map(({ site_id }) => site_id),
    siteId,
  );
  const to = (id: string | null) => (id === null ? null : () => list.open(id));
  return (
    <Drawer
      title={site.data?.name ?? say("Site")}
      mark={false}
      neighbours={{ previous: to(previous), next: to(next), place }}
      onClose={() => list.open(null)}
    >
      <Stack key={siteId}>
        <Answered of={site}>
          {(found) => (
            <Card
              title={say("Site")}
              actions={
                <TextLink to="/operations/sites/$id" params={{ id: siteId }}>
                  {say("Page of the site")}
                </TextLink>
              }
            >
              <Facts
                facts={[
                  [say("Account"), <AccountOf key="account" id={found.account_id} tab="sites" />],
                  [say("Location id"), found.customer_location_id || "–"],
                  [say("Group"), found.dispatch_group || "–"],
                  [say("Coordinates"), coordinatesText(found) || "–"],
                ]}
              />
            </Card>
          )}
        </Answered>
        <Meters siteId={siteId} />
      </Stack>
    </Drawer>
  );
};
