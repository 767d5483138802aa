import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useUser } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { ago } from "../../format/time.js";
import { Environment } from "../../parts/environment.js";
import { Found } from "../../parts/found.js";
import { type Openadr3Client, SCOPES_OF } from "../../rules/openadr3-client-draft.js";
import { mayWrite } from "../../rules/role.js";
import { ALL_SITES } from "../../rules/ven-draft.js";
import { Card, Facts, PageHead } from "../../ui/card.js";
import { DayAndClock, Exact } from "../../ui/page-zone.js";
import { sayParts } from "../../ui/say-parts.js";
import { TextLink } from "../../ui/text-link.js";
import { useNow } from "../../ui/use-now.js";
import { AccountOf } from "./account-link.js";
import { ChangeClient, RevokeClient, RotateSecret } from "./openadr3/client-actions.js";
import { ClientState } from "./openadr3/client-list.js";

const route = getRouteApi("/operations/openadr3/clients/$id");

/** One client of OpenADR 3: a participant's VEN, or business logic. */
export const Openadr3ClientPage = () => {
  const { id } = route.useParams();
  return (
    <Found
      of={useOperator("/openadr3-clients/{id}", { params: { id } }, { everyMs: 15_000 })}
      what="OpenADR 3 client"
      back="/operations/openadr3"
    >
      {(client) => (
        <>
          <PageHead
            title={client.name}
            tab={say("{name} · OpenADR 3 client", { name: client.name })}
            lead={
              client.account_id === null ? (
                <TextLink to="/operations/openadr3" search={{ tab: "business-logic" }}>
                  {say("Business logic")}
                </TextLink>
              ) : (
                <AccountOf id={client.account_id} tab="vens" />
              )
            }
            actions={<ClientState state={client.state} />}
          />
          <Settings client={client} />
        </>
      )}
    </Found>
  );
};

const Settings = ({ client }: { readonly client: Openadr3Client }) => {
  const now = useNow();
  const writes = mayWrite(useUser()) && client.state === "active";
  return (
    <Card
      title={say("Settings")}
      actions={
        writes && (
          <>
            <ChangeClient client={client} />
            {client.external_id === null && <RotateSecret client={client} />}
            <RevokeClient client={client} />
          </>
        )
      }
    >
      <Facts facts={[...common(client), ...ofVen(client), ...times(client, now)]} />
    </Card>
  );
};

const common = ({ id, environment, scopes, role, external_id }: Openadr3Client) =>
  [
    [say("Client id"), <code key="id">{id}</code>],
    [say("Environment"), <Environment key="environment" of={environment} />],
    [
      say("Scopes"),
      scopes.length === SCOPES_OF[role].length ? say("all of its role", {}, "scopes") : scopes.join(", "),
    ],
    ...(external_id === null ? [] : [[say("Id at the issuer"), external_id] as const]),
  ] as const;

const ofVen = ({ role, ven_id, sites, targets }: Openadr3Client) =>
  role === "bl"
    ? []
    : ([
        ["Ven", ven_id === null ? say("none", {}, "ven") : <code key="ven">{ven_id}</code>],
        [
          say("Sites"),
          sites === "all" ? ALL_SITES : say("{n, plural, one {# site} other {# sites}}", { n: sites.length }),
        ],
        [say("Targets"), targets.length === 0 ? say("none", {}, "targets") : targets.join(", ")],
      ] as const);

const times = ({ last_used_at, previous_secret_until, created_at, revoked_at }: Openadr3Client, now: Date) => {
  const hasPrevious = previous_secret_until !== null && new Date(previous_secret_until) > now;
  return [
    [say("Last used"), ago(last_used_at, now)],
    ...(hasPrevious
      ? [
          [
            say("Previous secret"),
            sayParts("accepted until {time}", { time: <DayAndClock at={previous_secret_until} /> }),
          ] as const,
        ]
      : []),
    [say("Created", {}, "time"), <Exact key="created" at={created_at} />],
    ...(revoked_at === null ? [] : [[say("Revoked", {}, "time"), <Exact key="revoked" at={revoked_at} />] as const]),
  ] as const;
};
