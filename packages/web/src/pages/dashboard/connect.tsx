import type { participantConsole, ReplyOf } from "@curtail/contract";
import { useConsole } from "../../api/use-call.js";
import { ButtonLink } from "../../ui/button.js";
import { Card, PageHead, Stack } from "../../ui/card.js";
import { Copy } from "../../ui/copy.js";
import { Answered } from "../../ui/state.js";
import { FirstReadings } from "./connect/first-readings.js";
import { Onboarding } from "./connect/onboarding.js";
import { OwnSitesTimes } from "./own-sites-times.js";

type Account = ReplyOf<typeof participantConsole.getOwnAccount>;

const examplesAt = (api: string, header: string) => [
  {
    title: "List your sites and their meters",
    text: `curl -H "${header}: $KEY" ${api}/sites`,
  },
  {
    title: "Send a reading; the timestamp is the end of its interval",
    text: `curl -H "${header}: $KEY" -H "Content-Type: application/json" ${api}/telemetry -d '{"telemetry":[{"meter_id":"mtr_…","interval_seconds":60,"timestamp":"2026-07-01T18:01:00Z","kW":412.5}]}'`,
  },
  {
    title: "Poll for dispatches about every 30 seconds",
    text: `curl -H "${header}: $KEY" ${api}/dispatches`,
  },
  {
    title: "Or register a webhook to be notified",
    text: `curl -H "${header}: $KEY" -H "Content-Type: application/json" ${api}/webhooks -d '{"url":"https://example.com/curtail","events":[{"name":"dispatch.create"},{"name":"dispatch.update"}]}'`,
  },
];

/** How to connect a participant's systems, and the progress so far. */
export const ConnectPage = () => (
  <OwnSitesTimes>
    <PageHead
      title="Get connected"
      lead="Your systems send readings and receive dispatches over a REST interface. They may also receive dispatches as an OpenADR 2.0a VEN."
      actions={
        <a
          href="/docs/integration.html"
          className="inline-flex min-h-9 items-center rounded-lg bg-accent px-3 py-1.5 text-sm font-medium text-accent-ink hover:brightness-110"
        >
          Read the documentation
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
              <Card title="Examples">
                <ul className="grid gap-4">
                  {examplesAt(account.rest_url, account.api_key_header).map(({ title, text }) => (
                    <li key={title} className="grid min-w-0 gap-1">
                      <h3 className="text-sm font-medium">{title}</h3>
                      <Copy text={text} label={title} />
                    </li>
                  ))}
                </ul>
              </Card>
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
    ["Production", rest_url],
    ["Sandbox, for testing", sandbox_url],
    ...(openadr_url === null ? [] : [["OpenADR 2.0a VENs", openadr_url] as const]),
    ...(openadr3_url === null ? [] : [["OpenADR 3.1 VENs", openadr3_url] as const]),
    ["Header with the API key", api_key_header],
  ] as const;
  return (
    <Card title="Addresses and authentication">
      <ul className="grid gap-4">
        {addresses.map(([name, text]) => (
          <li key={name} className="grid min-w-0 gap-1">
            <h3 className="text-sm font-medium">{name}</h3>
            <Copy text={text} label={name} />
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <ButtonLink to="/dashboard/sandbox">Test in the sandbox</ButtonLink>
        <ButtonLink to="/dashboard/keys">API keys</ButtonLink>
        <ButtonLink to="/dashboard/webhooks">Webhooks</ButtonLink>
        <ButtonLink to="/dashboard/requests">Request log</ButtonLink>
      </div>
    </Card>
  );
};
