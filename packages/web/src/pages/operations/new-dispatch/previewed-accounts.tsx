import type { operator } from "@curtail/contract";
import { channels } from "@curtail/contract/lists/channels";
import { say } from "@curtail/words/page";
import { byName } from "../../../format/name-order.js";
import { count, power } from "../../../format/quantity.js";
import { ago } from "../../../format/time.js";
import { serviceSentence } from "../../../rules/service-sentences.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { ShowRest, useShownPart } from "../../../ui/shown-part.js";
import { Table } from "../../../ui/table.js";
import { useNow } from "../../../ui/use-now.js";

type Account = operator.DispatchPreview["accounts"][number];

/** The accounts to be dispatched and their channels; those with warnings first. */
export const PreviewedAccounts = ({ accounts }: { readonly accounts: readonly Account[] }) => {
  const sorted = accounts.toSorted((a, b) => b.warnings.length - a.warnings.length || byName(a.name, b.name));
  const part = useShownPart(sorted);
  return (
    <Card title={say("Who will be notified, and how")} flush>
      <Table<Account>
        label={say("Accounts to be dispatched")}
        rows={part.shown}
        keyOf={({ account_id }) => account_id}
        empty={say("No sites are available in this period.")}
        columns={[
          { head: say("Account"), cell: (account) => <Name account={account} /> },
          { head: say("Channels"), cell: (account) => <Channels account={account} /> },
          { head: say("Sites"), number: true, cell: ({ sites }) => count(sites) },
          {
            head: say("Commitment"),
            number: true,
            cell: ({ commitment_kw, commitment_unknown_sites: unknown }) => (
              <>
                {power(commitment_kw)}
                {unknown > 0 && (
                  <div className="text-muted">
                    {say("{n, plural, one {# site} other {# sites}} without", { n: unknown }, "commitment")}
                  </div>
                )}
              </>
            ),
          },
        ]}
      />
      <ShowRest of={part} />
    </Card>
  );
};

const Name = ({ account: { name, warnings } }: { readonly account: Account }) => (
  <div className="max-w-[60ch] min-w-40">
    <span className="font-medium">{name}</span>
    {warnings.map((warning) => (
      <p key={warning} className="mt-0.5 text-warn">
        {serviceSentence(warning)}
      </p>
    ))}
  </div>
);

type Known = Account["channels"][number];

/** The service describes polling by the number of keys. */
const channelWords = ({ channel, description }: Known): string =>
  channel === "rest"
    ? say("Polling with {n, plural, one {# key} other {# keys}}", { n: Number.parseInt(description, 10) })
    : `${channels[channel].preview} ${description}`;

const Channels = ({ account }: { readonly account: Account }) => {
  const now = useNow();
  return (
    <ul className="grid min-w-48 gap-1">
      {account.channels.map((known) => (
        <li key={`${known.channel} ${known.description}`} className="[overflow-wrap:anywhere]">
          {channelWords(known)}
          <span className="block text-xs text-muted">
            {known.last_seen_at === null
              ? say("never seen")
              : say("last seen {ago}", { ago: ago(known.last_seen_at, now) })}
          </span>
        </li>
      ))}
      {account.channels.length === 0 && (
        <li>
          <Badge tone="bad">{say("no channel")}</Badge>
        </li>
      )}
      {account.mail_contacts > 0 && (
        <li className="text-muted">
          {say("{n, plural, one {# contact} other {# contacts}} mailed if no channel succeeds", {
            n: account.mail_contacts,
          })}
        </li>
      )}
    </ul>
  );
};
