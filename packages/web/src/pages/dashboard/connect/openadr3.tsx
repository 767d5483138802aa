import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useConsoleList } from "../../../api/use-call.js";
import { ago } from "../../../format/time.js";
import { Environment } from "../../../parts/environment.js";
import { lastCallback } from "../../../rules/openadr3-subscription.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { CopyList } from "../../../ui/copy-list.js";
import { sayParts } from "../../../ui/say-parts.js";
import { ListTable } from "../../../ui/table.js";
import { useNow } from "../../../ui/use-now.js";

type Client = participantConsole.OwnOpenadr3Client;

const EVERY_MS = 15_000;

const examplesAt = (vtn: string) => [
  { title: say("VTN address"), text: vtn },
  { title: say("Token address, unless GET /auth/server names another"), text: `${vtn}/auth/token` },
  {
    title: say("Get a token, which lasts an hour"),
    text: `curl -s ${vtn}/auth/token -d grant_type=client_credentials -d client_id=oac_… -d client_secret=cta_…`,
  },
  {
    title: say("Read the events of now and later"),
    text: `curl -H "Authorization: Bearer $TOKEN" "${vtn}/events?active=true"`,
  },
];

/** How a VEN of OpenADR 3.1 connects, and the clients of the account. */
export const Openadr3 = ({ vtn }: { readonly vtn: string }) => (
  <Card
    title="OpenADR 3.1"
    actions={
      <a href="/docs/openadr3.html" className="text-accent underline">
        {say("Documentation")}
      </a>
    }
  >
    <div className="grid gap-4">
      <p>
        {sayParts(
          "A dispatch becomes an event with the start, the end and the reduction of your sites in kW; other events have prices, limits or alerts. Your VEN answers with reports: {state} acknowledges a dispatch, {usage} and {demand} are readings.",
          {
            state: <code>OPERATING_STATE</code>,
            usage: <code>USAGE</code>,
            demand: <code>DEMAND</code>,
          },
        )}
      </p>
      <Clients />
      <CopyList items={examplesAt(vtn)} />
    </div>
  </Card>
);

/** The operator creates and changes them. */
const Clients = () => {
  const now = useNow();
  return (
    <ListTable<Client>
      label={say("OpenADR 3 clients")}
      list={useConsoleList("/openadr3-clients", {}, { everyMs: EVERY_MS })}
      keyOf={({ id }) => id}
      empty={say("No OpenADR 3 clients yet. Ask the operator for a client id and secret.")}
      columns={[
        {
          head: say("Client"),
          cell: ({ id, name }) => (
            <>
              {name}
              <div>
                <code className="text-xs break-all text-muted">{id}</code>
              </div>
            </>
          ),
        },
        {
          head: say("State"),
          cell: ({ state, environment, last_used_at }) => (
            <>
              {state === "active" ? <Environment of={environment} /> : <Badge>{say("Revoked")}</Badge>}
              <div className="text-muted">
                {last_used_at === null ? say("never used") : say("used {ago}", { ago: ago(last_used_at, now) })}
              </div>
            </>
          ),
        },
        { head: say("Subscriptions"), cell: (client) => <Subscriptions of={client} now={now} /> },
      ]}
    />
  );
};

const Subscriptions = ({ of: { subscriptions }, now }: { readonly of: Client; readonly now: Date }) =>
  subscriptions.length === 0 ? (
    say("none", {}, "subscriptions")
  ) : (
    <ul className="grid gap-2">
      {subscriptions.map((subscription) => {
        const { tone, words } = lastCallback(subscription, now);
        return (
          <li key={subscription.id}>
            <Badge tone={tone}>{words}</Badge>
            {subscription.pending_count > 0 && (
              <div className="text-muted">
                {say("{n, plural, one {# notification} other {# notifications}} pending", {
                  n: subscription.pending_count,
                })}
              </div>
            )}
            <div className="text-sm break-all text-muted">{subscription.callback_urls.join(", ")}</div>
          </li>
        );
      })}
    </ul>
  );
