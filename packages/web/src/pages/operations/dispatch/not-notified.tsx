import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useUser } from "../../../api/session.js";
import { count, power } from "../../../format/quantity.js";
import { clock } from "../../../format/time.js";
import { mayWrite } from "../../../rules/role.js";
import { AccountLink } from "../account-link.js";
import { NotifiedByPhone } from "../phone-call.js";
import type { Dispatch } from "./dispatch.js";

const route = getRouteApi("/operations/dispatches/$id");

const MOST = 6;

type Contact = operator.DispatchAttention["unreached"][number]["contact"];

/** An account that was not notified of a dispatch. */
export interface NotNotified {
  readonly account_id: string;
  readonly account_name: string;
  readonly sites: number;
  /** What its sites lack now; before the start and after the end, what they committed. */
  readonly kw: number;
  /** null: it has none; undefined: only the largest accounts are loaded with theirs. */
  readonly contact: Contact | undefined;
}

/** Who was not notified, by name, the largest first, with a number to call. */
export const NotNotifiedCard = ({
  dispatch,
  accounts,
  all,
  modification,
  stakeKw,
  at,
}: {
  readonly dispatch: Dispatch;
  readonly accounts: readonly NotNotified[];
  /** Number of accounts in the dispatch. */
  readonly all: number;
  readonly modification: number;
  /** What the dispatch lacks because of them, which what other sites deliver may offset; null: it is not running. */
  readonly stakeKw: number | null;
  /** The moment of a replay, in which nothing can be done; null: now. */
  readonly at: Date | null;
}) => {
  const writes = mayWrite(useUser()) && at === null;
  const sum = (some: readonly NotNotified[]) => power(some.reduce((kw, account) => kw + account.kw, 0));
  const rest = accounts.slice(MOST);
  const counts = { n: count(accounts.length), all };
  const more = say("{n, plural, one {# more account} other {# more accounts}}, {power}", {
    n: rest.length,
    power: sum(rest),
  });
  return (
    <section aria-label={say("Not notified")} className="flex min-w-0 flex-col rounded-xl bg-surface ring-1 ring-line">
      <header className="px-4 pt-2.5 pb-1.5">
        <h2 className="flex items-center gap-2.5 text-base font-semibold">
          <span
            aria-label={say("Priority 1")}
            role="img"
            className="grid size-[22px] shrink-0 place-items-center bg-bad text-[13px] leading-none font-bold text-surface"
          >
            1
          </span>
          {at === null
            ? say("{n} of {all, plural, one {# account} other {# accounts}} not notified", counts)
            : say("{n} of {all, plural, one {# account} other {# accounts}} not notified at {time}", {
                ...counts,
                time: clock(at, dispatch.program.timezone),
              })}
        </h2>
        <p className="ml-8 text-[13px] text-muted">
          {stakeKw === null
            ? say("{power} committed.", { power: sum(accounts) })
            : say("{power} of the shortfall.", { power: power(stakeKw) })}{" "}
          {at === null ? say("Call the largest first.") : say("Actions are off in a replay.")}
        </p>
      </header>
      <ul
        aria-label={say("Accounts that are not notified")}
        className="grow xl:block md:max-xl:grid md:max-xl:grid-cols-2"
      >
        {accounts.slice(0, MOST).map((account, index) => (
          <Account
            key={account.account_id}
            account={account}
            dispatchId={dispatch.id}
            modification={modification}
            isFirst={index === 0}
            writes={writes}
          />
        ))}
      </ul>
      {rest.length > 0 && (
        <footer className="border-t border-line py-2 pr-3 pl-4 text-[13px]">
          {at === null ? (
            <route.Link
              to="."
              search={(before) => ({ ...before, tab: "evidence" })}
              className="inline-flex min-h-6 items-center font-medium text-accent hover:underline"
            >
              {more}
            </route.Link>
          ) : (
            <span className="text-muted">{more}</span>
          )}
        </footer>
      )}
    </section>
  );
};

const Account = ({
  account: { account_id, account_name, sites, kw, contact },
  dispatchId,
  modification,
  isFirst,
  writes,
}: {
  readonly account: NotNotified;
  readonly dispatchId: string;
  readonly modification: number;
  readonly isFirst: boolean;
  readonly writes: boolean;
}) => (
  <li className="grid min-h-[47px] grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-1.5 border-t border-line py-1 pr-3 pl-4">
    <div className="min-w-0">
      <div className="truncate text-[14.5px] leading-tight font-semibold" title={account_name}>
        <AccountLink id={account_id} name={account_name} />
      </div>
      <div className="truncate text-[13px] leading-tight text-muted">
        {say("{power}, {n, plural, one {# site} other {# sites}}", { power: power(kw), n: sites })}
        {contactWords(contact)}
      </div>
    </div>
    {typeof contact?.phone === "string" && <Call name={account_name} phone={contact.phone} isFirst={isFirst} />}
    {writes && (
      <NotifiedByPhone
        callee={{
          dispatchId,
          accountId: account_id,
          accountName: account_name,
          modification,
          contact: contact ?? null,
        }}
        isShort
      />
    )}
  </li>
);

const contactWords = (contact: Contact | undefined): string => {
  if (contact === undefined) return "";
  return ` · ${contact === null ? say("no contact") : contact.phone === null ? contact.email : contact.name}`;
};

/** Dials on a phone. The first one is the next thing to do. */
const Call = ({
  name,
  phone,
  isFirst,
}: {
  readonly name: string;
  readonly phone: string;
  readonly isFirst: boolean;
}) => (
  <a
    href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`}
    aria-label={say("Call {name}, {phone}", { name, phone })}
    data-call={isFirst ? "first" : undefined}
    className={`inline-flex min-h-9 items-center gap-2 rounded-lg px-2.5 text-[13px] font-medium whitespace-nowrap md:min-h-7 ${isFirst ? "bg-accent text-accent-ink" : "ring-1 ring-line ring-inset hover:bg-sunken"}`}
  >
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-4" fill="none" stroke="currentColor" strokeWidth="1.7">
      <path d="M5 4h4l2 5-3 2a11 11 0 0 0 5 5l2-3 5 2v4c0 1-1 2-2 2A16 16 0 0 1 3 6c0-1 1-2 2-2" />
    </svg>
    <span className="max-sm:sr-only">{phone}</span>
  </a>
);
