import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useOperator, useOperatorList } from "../../../api/use-call.js";
import { useChange } from "../../../api/use-change.js";
import { FirstUpload } from "../../../parts/first-upload.js";
import { OneTimeLink } from "../../../parts/one-time-link.js";
import { isInUse, isWaiting } from "../../../rules/key.js";
import { lastPowerOf, lastReadingOf } from "../../../rules/last-reading.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Answered, Empty, Fault } from "../../../ui/state.js";
import { TextLink } from "../../../ui/text-link.js";
import type { Site } from "./site-columns.js";

const EVERY_MS = 3000;

/** How to send readings, until the first one comes: it turns by itself. Not for those who may create no key. */
export const FirstReadings = ({ site, writes }: { readonly site: Site; readonly writes: boolean }) => {
  const [wasWaiting] = useState(() => lastReadingOf(site) === null);
  return writes && wasWaiting && <Sending site={site} />;
};

const Sending = ({ site }: { readonly site: Site }) => {
  const { id, account_id, meters, timezone } = site;
  const at = lastReadingOf(site);
  const everyMs = at === null ? { everyMs: EVERY_MS } : {};
  // Also makes the page ask more often.
  useOperator("/sites/{id}", { params: { id } }, everyMs);
  const requests = useOperatorList(
    "/accounts/{id}/requests",
    { params: { id: account_id }, query: { environment: "production", status: "error" } },
    everyMs,
  );
  const addresses = useOperator("/addresses", {});
  return (
    <div id="readings" className="scroll-mt-16">
      <Card title={say("Send readings")}>
        {meters.length === 0 ? (
          <Empty>{say("Add a meter first. Readings belong to meters.")}</Empty>
        ) : (
          <Answered of={addresses}>
            {(to) => (
              <FirstUpload
                addresses={to}
                meters={meters}
                reading={at === null ? null : { at, kw: lastPowerOf(site) }}
                timeZone={timezone}
                requests={requests.items}
                apiKey={<Key accountId={account_id} />}
              />
            )}
          </Answered>
        )}
      </Card>
    </div>
  );
};

interface Issued {
  readonly claim_url: string;
  readonly claim_expires_at: string;
}

/** A key of the account: an existing one, or a link to a new one. */
const Key = ({ accountId }: { readonly accountId: string }) => {
  const params = { id: accountId };
  const { items, isPending, error } = useOperatorList("/accounts/{id}/keys", { params });
  const [issued, setIssued] = useState<Issued | null>(null);
  const issue = useChange(
    () => callOperator("POST", "/accounts/{id}/keys", { params, body: { environment: "production" } }),
    { after: setIssued },
  );
  if (error !== null) return <Fault error={error} />;
  if (issued !== null)
    return (
      <OneTimeLink url={issued.claim_url} expiresAt={issued.claim_expires_at} onDone={() => setIssued(null)}>
        {say("Open the link yourself, or send it to the participant. The page reveals the key once.")}
      </OneTimeLink>
    );
  const inUse = items.filter(isInUse).length;
  const waiting = items.filter(isWaiting).length;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-60">
        {isPending ? "…" : keyWords(inUse, waiting)}{" "}
        <TextLink to="/operations/accounts/$id" params={params} search={{ tab: "keys" }}>
          {say("Keys of the account")}
        </TextLink>
      </p>
      <Button
        look={inUse + waiting === 0 ? "primary" : "plain"}
        onClick={() => issue.run(undefined)}
        busy={issue.isPending && say("Creating…")}
      >
        {inUse + waiting === 0 ? say("Create an API key") : say("Create another key")}
      </Button>
    </div>
  );
};

const keyWords = (inUse: number, waiting: number): string => {
  if (inUse > 0) return say("The account has a key. Whoever opened its link has the secret; it is not shown again.");
  if (waiting > 0) return say("The link to a key was created and not opened yet.");
  return say("The account has no key yet.");
};
