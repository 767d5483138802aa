import type { participantConsole, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { useConsole, useConsoleList } from "../../../api/use-call.js";
import { FirstUpload } from "../../../parts/first-upload.js";
import { acceptedUploads } from "../../../rules/upload.js";
import { ButtonLink } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Select } from "../../../ui/field.js";
import { usePageZone } from "../../../ui/page-zone.js";

type Account = ReplyOf<typeof participantConsole.getOwnAccount>;
type Site = participantConsole.SiteOverview;

const EVERY_MS = 5000;

/** How to send the first readings of a site; nothing once every site sends. */
export const FirstReadings = ({ account }: { readonly account: Account }) => {
  const { data } = useConsole("/overview", {});
  const waiting = (data?.sites ?? []).filter(
    ({ meters, last_reading_at }) => meters.length > 0 && last_reading_at === null,
  );
  const [first] = waiting;
  return first === undefined ? null : <Sending account={account} sites={waiting} first={first} />;
};

const Sending = ({
  account,
  sites,
  first,
}: {
  readonly account: Account;
  readonly sites: readonly Site[];
  readonly first: Site;
}) => {
  const [id, setId] = useState(first.id);
  const site = sites.find((each) => each.id === id) ?? first;
  const { items } = useConsoleList("/requests", { query: { environment: "production" } }, { everyMs: EVERY_MS });
  // Readings are hidden until the operator makes them visible; the request log is not.
  const [accepted] = acceptedUploads(items);
  return (
    <Card title={say("Send readings")}>
      {sites.length > 1 && (
        <div className="mb-3">
          <Select
            label={say("Site")}
            choices={sites.map((each) => ({ value: each.id, label: each.name }))}
            value={site.id}
            onChange={({ target }) => setId(target.value)}
          />
        </div>
      )}
      <FirstUpload
        addresses={account}
        meters={site.meters}
        reading={accepted === undefined ? null : { at: accepted.at, kw: null }}
        timeZone={usePageZone()}
        requests={items}
        apiKey={<ButtonLink to="/dashboard/keys">{say("API keys")}</ButtonLink>}
      />
      {accepted !== undefined && (
        <p className="mt-2 text-muted">
          {say("Your operator makes readings visible on these pages once they stream.")}
        </p>
      )}
    </Card>
  );
};
