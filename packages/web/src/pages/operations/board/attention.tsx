import type { operator } from "@curtail/contract";
import { channels } from "@curtail/contract/lists/channels";
import { Link } from "@tanstack/react-router";
import { useUser } from "../../../api/session.js";
import { count, counted, power } from "../../../format/quantity.js";
import { ago } from "../../../format/time.js";
import { firstStep, type SiteToAttend, type Step, unlisted, usedChannels } from "../../../rules/attention.js";
import { mayWrite } from "../../../rules/role.js";
import { Badge } from "../../../ui/badge.js";
import { TextLink } from "../../../ui/text-link.js";
import { useNow } from "../../../ui/use-now.js";
import { NotifiedByPhone, Phone } from "../phone-call.js";

type Attention = operator.DispatchAttention;
type Unreached = Attention["unreached"][number];

interface Of {
  readonly dispatchId: string;
  readonly attention: Attention;
}

/** Who was notified and how; who was not, with a number to call; and the sites with the largest shortfall. */
export const DispatchAttention = ({ dispatchId, attention }: Of) => (
  <div className="grid min-w-0 content-start gap-4 border-line @max-4xl:border-t @max-4xl:pt-3 @4xl:border-l @4xl:pl-6">
    <Notified attention={attention} />
    {attention.unreached.length > 0 && <UnreachedAccounts dispatchId={dispatchId} attention={attention} />}
    <WorstSites dispatchId={dispatchId} attention={attention} />
  </div>
);

const Notified = ({ attention }: { readonly attention: Attention }) => {
  const { accounts, reached } = attention;
  const isAll = reached >= accounts;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 wall:text-xl">
      <span className={`font-semibold ${isAll ? "" : "text-bad"}`}>
        {count(reached)} of {counted(accounts, "account")} notified
      </span>
      <span className="flex flex-wrap gap-1.5">
        {usedChannels(attention).map(([channel, number]) => (
          <Badge key={channel} tone={channel === "mail" ? "warn" : "good"}>
            {count(number)} by {channels[channel].reach.by}
          </Badge>
        ))}
      </span>
    </p>
  );
};

const UnreachedAccounts = ({ dispatchId, attention }: Of) => {
  const rest = unlisted(attention);
  return (
    <section aria-label="Not notified">
      <h3 className="text-sm font-semibold text-bad">Not notified</h3>
      <ul
        className="max-h-80 divide-y divide-line overflow-y-auto"
        aria-label="Accounts that are not notified"
        tabIndex={0}
      >
        {attention.unreached.map((account) => (
          <UnreachedAccount
            key={account.account_id}
            account={account}
            dispatchId={dispatchId}
            modification={attention.modification_number}
          />
        ))}
      </ul>
      {rest > 0 && (
        <TextLink to="/operations/dispatches/$id" params={{ id: dispatchId }} search={{ tab: "evidence" }}>
          {counted(rest, "more account")}
        </TextLink>
      )}
    </section>
  );
};

const UnreachedAccount = ({
  account: { account_id, account_name, sites, commitment_kw, contact },
  dispatchId,
  modification,
}: {
  readonly account: Unreached;
  readonly dispatchId: string;
  readonly modification: number;
}) => {
  const writes = mayWrite(useUser());
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0">
        <TextLink to="/operations/accounts/$id" params={{ id: account_id }}>
          {account_name}
        </TextLink>
        <div className="text-sm text-muted">
          {counted(sites, "site")}, {power(commitment_kw)} ·{" "}
          {contact === null ? (
            "no contact: add one to the account"
          ) : (
            <>
              call <Phone contact={contact} />
            </>
          )}
        </div>
      </div>
      {writes && (
        <NotifiedByPhone
          callee={{ dispatchId, accountId: account_id, accountName: account_name, modification, contact }}
        />
      )}
    </li>
  );
};

const WorstSites = ({ dispatchId, attention: { worst_sites } }: Of) => {
  if (worst_sites === null) return <p className="text-sm text-muted">The sites are not measured yet.</p>;
  if (worst_sites.length === 0) return <p className="text-sm text-good">No site falls short of its commitment.</p>;
  return (
    <section aria-label="Sites with the largest shortfall">
      <h3 className="text-sm font-semibold">Sites with the largest shortfall</h3>
      <ul className="divide-y divide-line">
        {worst_sites.map((site) => (
          <WorstSite key={site.site_id} site={site} dispatchId={dispatchId} />
        ))}
      </ul>
    </section>
  );
};

const WorstSite = ({ site, dispatchId }: { readonly site: SiteToAttend; readonly dispatchId: string }) => {
  const now = useNow();
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2">
      <div className="min-w-0 flex-[1_1_16rem]">
        <Link
          to="/operations/dispatches/$id"
          params={{ id: dispatchId }}
          search={{ site: site.site_id }}
          className="inline-block min-h-6 font-medium text-accent underline-offset-2 hover:underline"
        >
          {site.site_name}
        </Link>{" "}
        <span className="text-sm text-muted">{site.account_name}</span>
        <p className="text-sm text-muted">
          {site.reached_by === null ? "Not notified" : `Notified by ${channels[site.reached_by].reach.by}`} ·{" "}
          {site.last_reading_at === null ? "no readings yet" : `last reading ${ago(site.last_reading_at, now)}`}
          {site.commitment_kw !== null &&
            (site.delivered_kw === null
              ? ` · ${site.status.words}`
              : ` · ${power(site.delivered_kw)} of ${power(site.commitment_kw)}`)}
        </p>
        <p className="text-sm">
          {stepWords[firstStep(site, now)]}
          {site.contact !== null && (
            <>
              : <Phone contact={site.contact} />
            </>
          )}
        </p>
      </div>
      {site.delivered_kw === null ? (
        <span className="whitespace-nowrap text-muted">{power(site.shortfall_kw)} not known</span>
      ) : (
        <span className="font-semibold whitespace-nowrap text-bad">−{power(site.shortfall_kw)}</span>
      )}
    </li>
  );
};

const stepWords: Readonly<Record<Step, string>> = {
  call_unreached: "Call: the account does not know of the dispatch",
  check_readings: "Readings stopped: have the meter or gateway checked",
  not_measured: "Readings arrive, but what it delivers cannot be calculated yet",
  call_short: "Knows of the dispatch and falls short: ask what holds it up",
};
