import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOperator } from "../../api/use-call.js";
import { Found } from "../../parts/found.js";
import { SimulatedMark } from "../../parts/simulated-mark.js";
import { Badge } from "../../ui/badge.js";
import { PageHead, Stack } from "../../ui/card.js";
import { Tabs } from "../../ui/tabs.js";
import { TextLink } from "../../ui/text-link.js";
import { AccountAddresses, AccountContacts } from "./account/contacts.js";
import { AccountKeys } from "./account/keys.js";
import { Openadr3Clients } from "./account/openadr3-clients.js";
import { type Account, Overview } from "./account/overview.js";
import { Requests } from "./account/requests.js";
import { Sandbox } from "./account/sandbox.js";
import { Sites } from "./account/sites.js";
import { Vens } from "./account/vens.js";
import { Webhooks } from "./account/webhooks.js";
import { NextStep } from "./first-steps/next-step.js";
import { ResultsOf } from "./past-dispatches/results-of.js";
import { AccountUsers } from "./users/users-card.js";

const route = getRouteApi("/operations/accounts/$id");

const tabsOf = (account: Account): readonly (readonly [id: string, label: string, content: () => ReactNode])[] => [
  ["overview", say("Overview"), () => <Overview account={account} />],
  ["sites", say("Sites"), () => <Sites accountId={account.id} />],
  ["dispatches", say("Dispatches"), () => <ResultsOf of={{ account: account.id }} />],
  ["keys", say("API keys"), () => <AccountKeys accountId={account.id} />],
  [
    "contacts",
    say("Contacts"),
    () => (
      <Stack>
        <AccountContacts accountId={account.id} />
        <AccountAddresses accountId={account.id} />
      </Stack>
    ),
  ],
  ["webhooks", say("Webhooks"), () => <Webhooks accountId={account.id} />],
  [
    "vens",
    say("VENs"),
    () => (
      <Stack>
        <Vens accountId={account.id} />
        <Openadr3Clients accountId={account.id} />
      </Stack>
    ),
  ],
  ["users", say("Users"), () => <AccountUsers accountId={account.id} />],
  ["sandbox", say("Sandbox"), () => <Sandbox accountId={account.id} />],
  ["requests", say("Request log"), () => <Requests accountId={account.id} />],
];

/** One account, in tabs. */
export const AccountPage = () => {
  const { id } = route.useParams();
  return (
    <Found of={useOperator("/accounts/{id}", { params: { id } })} what="account" back="/operations/accounts">
      {(account) => (
        <>
          <PageHead
            title={account.name}
            tab={say("{name} · Account", { name: account.name })}
            lead={
              <>
                <TextLink to="/operations/accounts">{say("Accounts")}</TextLink>
                <SimulatedMark of={account} />
              </>
            }
            actions={account.disabled && <Badge tone="bad">{say("Disabled")}</Badge>}
          />
          <NextStep />
          <Parts account={account} />
        </>
      )}
    </Found>
  );
};

const Parts = ({ account }: { readonly account: Account }) => {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const tabs = tabsOf(account).map(([id, label, content]) => ({ id, label, content }));
  const chosen = tabs.some(({ id }) => id === tab) ? (tab ?? "overview") : "overview";
  return <Tabs tabs={tabs} chosen={chosen} onChoose={(id) => void navigate({ search: { tab: id } })} />;
};
