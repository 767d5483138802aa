import { ButtonLink } from "../../ui/button.js";
import { Card, PageHead, Stack } from "../../ui/card.js";
import { Copy } from "../../ui/copy.js";
import { Onboarding } from "./onboarding.js";

const API = `${window.location.origin}/2022-04-15`;

const examples = [
  {
    title: "List your sites and their meters",
    text: `curl -H "X-Service-API-Key: $KEY" ${API}/sites`,
  },
  {
    title: "Send a reading; the timestamp is the end of its interval",
    text: `curl -H "X-Service-API-Key: $KEY" -H "Content-Type: application/json" ${API}/telemetry -d '{"telemetry":[{"meter_id":"mtr_…","interval_seconds":60,"timestamp":"2026-07-01T18:01:00Z","kW":412.5}]}'`,
  },
  {
    title: "Ask for dispatches, every 30 seconds or so",
    text: `curl -H "X-Service-API-Key: $KEY" ${API}/dispatches`,
  },
  {
    title: "Be told of them instead",
    text: `curl -H "X-Service-API-Key: $KEY" -H "Content-Type: application/json" ${API}/webhooks -d '{"url":"https://example.com/curtail","events":[{"name":"dispatch.create"},{"name":"dispatch.update"}]}'`,
  },
] as const;

/** How a participant's systems are connected, and how far that is. */
export const ConnectPage = () => (
  <>
    <PageHead
      title="Get connected"
      lead="Your systems send readings and hear of dispatches over a REST interface; VENs of OpenADR 2.0a may do the latter."
      actions={
        <a
          href="/2022-04-15/docs"
          className="inline-flex min-h-9 items-center rounded-lg bg-accent px-3 py-1.5 text-sm font-medium text-accent-ink hover:brightness-110"
        >
          Read the documentation
        </a>
      }
    />
    <Stack>
      <Onboarding />
      <Card title="Where and with what">
        <ol className="grid max-w-4xl list-decimal gap-4 pl-5">
          <li>
            The interface is at this address:
            <Copy text={API} label="address" />
          </li>
          <li>
            Every request carries a key of yours in this header:
            <Copy text="X-Service-API-Key" label="header" />
            <div className="mt-2 flex flex-wrap gap-2">
              <ButtonLink to="/dashboard/keys">API keys</ButtonLink>
              <ButtonLink to="/dashboard/webhooks">Webhooks</ButtonLink>
            </div>
          </li>
          <li>What your keys asked, and what was wrong with it, is in the request log.</li>
        </ol>
      </Card>
      <Card title="Examples">
        <ul className="grid gap-4">
          {examples.map(({ title, text }) => (
            <li key={title} className="grid min-w-0 gap-1">
              <h3 className="text-sm font-medium">{title}</h3>
              <Copy text={text} label={title} />
            </li>
          ))}
        </ul>
      </Card>
    </Stack>
  </>
);
