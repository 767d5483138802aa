import type { participantConsole, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useConsole } from "../../api/use-call.js";
import { librarySteps } from "../../rules/installing.js";
import { ButtonLink } from "../../ui/button.js";
import { Card, PageHead, Stack } from "../../ui/card.js";
import { CopyList } from "../../ui/copy-list.js";
import { Answered } from "../../ui/state.js";
import { CommandLine } from "./command-line.js";
import { FirstReadings } from "./connect/first-readings.js";
import { Onboarding } from "./connect/onboarding.js";
import { Openadr3 } from "./connect/openadr3.js";
import { OwnSitesTimes } from "./own-sites-times.js";

type Account = ReplyOf<typeof participantConsole.getOwnAccount>;

const examplesAt = (api: string, header: string) => [
  {
    title: say("List your sites and their meters"),
    text: `curl -H "${header}: $KEY" ${api}/sites`,
  },
  {
    title: say("Send a reading; the timestamp is the end of its interval"),
    text: `curl -H "${header}: $KEY" -H "Content-Type: application/json" ${api}/telemetry -d '{"telemetry":[{"meter_id":"mtr_…","interval_seconds":60,"timestamp":"2026-07-01T18:01:00Z","kW":412.5}]}'`,
  },
  {
    title: say("Poll for dispatches about every 30 seconds"),
    text: `curl -H "${header}: $KEY" ${api}/dispatches`,
  },
  {
    title: say("Or register a webhook to be notified"),
    text: `curl -H "${header}: $KEY" -H "Content-Type: application/json" ${api}/webhooks -d '{"url":"https://example.com/curtail","events":[{"name":"dispatch.create"},{"name":"dispatch.update"}]}'`,
  },
];

/** How to connect a participant's systems, and the progress so far. */
export const ConnectPage = () => (
  <OwnSitesTimes>
    <PageHead
      title={say("Get connected")}
      lead={say(
        "Your systems send readings and receive dispatches over a REST interface. They may also receive dispatches as a VEN of OpenADR 2.0a or 3.1.",
      )}
      actions={
        <a
          href="/docs/integration.html"
          className="inline-flex min-h-9 items-center rounded-lg bg-accent px-3 py-1.5 text-sm font-medium text-accent-ink hover:brightness-110"
        >
          {say("Read the documentation")}
        </a>
      }
    />
    <Stack>
      <Onboarding />
      <Answered of={useConsole("/account", {})}>
        {(account) => (
          <Stack>
            <FirstReadings account={account} />
            <div className="grid items-start gap-4 2xl:grid-cols-2">
              <Addresses account={account} />
              <Card title={say("Examples")}>
                <CopyList items={examplesAt(account.rest_url, account.api_key_header)} />
              </Card>
              <CommandLine environment="production" />
              <Libraries account={account} />
              {account.openadr3_url !== null && <Openadr3 vtn={account.openadr3_url} />}
            </div>
          </Stack>
        )}
      </Answered>
    </Stack>
  </OwnSitesTimes>
);

const Addresses = ({ account }: { readonly account: Account }) => {
  const { rest_url, sandbox_url, openadr_url, openadr3_url, api_key_header } = account;
  const addresses = [
    { title: say("Production"), text: rest_url },
    { title: say("Sandbox, for testing"), text: sandbox_url },
    ...(openadr_url === null ? [] : [{ title: say("OpenADR 2.0a VENs"), text: openadr_url }]),
    ...(openadr3_url === null ? [] : [{ title: say("OpenADR 3.1 VENs"), text: openadr3_url }]),
    { title: say("Header with the API key"), text: api_key_header },
  ];
  return (
    <Card title={say("Addresses and authentication")}>
      <CopyList items={addresses} />
      <div className="mt-4 flex flex-wrap gap-2">
        <ButtonLink to="/dashboard/sandbox">{say("Test in the sandbox")}</ButtonLink>
        <ButtonLink to="/dashboard/keys">{say("API keys")}</ButtonLink>
        <ButtonLink to="/dashboard/webhooks">{say("Webhooks")}</ButtonLink>
        <ButtonLink to="/dashboard/requests">{say("Request log")}</ButtonLink>
      </div>
    </Card>
  );
};

const Libraries = ({ account }: { readonly account: Account }) => (
  <Card
    title={say("Libraries")}
    actions={
      <a href="/downloads/" className="text-accent underline">
        {say("All downloads")}
      </a>
    }
  >
    <CopyList items={librarySteps(account)} />
  </Card>
);
