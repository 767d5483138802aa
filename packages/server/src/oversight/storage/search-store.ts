import { camel, type Snake } from "../../platform/database/camel.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { type Found, type FoundKind, MOST_OF_A_KIND } from "../domain/search.js";
import type { SearchReader } from "../operations/search.js";

type FoundRow = Snake<Found>;

/** Where a kind is found; names of columns, or SQL. */
interface Searched {
  readonly from: string;
  readonly id: string;
  readonly name: string;
  readonly detail?: string;
  /** What is searched besides the name and the id. */
  readonly also?: readonly string[];
  readonly account?: string;
  readonly site?: string;
  readonly timezone?: string;
  readonly start?: string;
  /** Newest first among equal matches. */
  readonly newest?: string;
}

const ofSites = "sites join accounts on accounts.id = sites.account_id";
const ACCOUNT = "accounts.id, accounts.name";

const sites: Searched = {
  from: ofSites,
  id: "sites.id",
  name: "sites.name",
  detail: "nullif(customer_location_id, '')",
  also: ["customer_location_id"],
  account: ACCOUNT,
  timezone: "sites.timezone",
};
const meters: Searched = {
  from: `meters join ${ofSites.replace("sites", "sites on sites.id = meters.site_id")}`,
  id: "meters.id",
  name: "meters.name",
  detail: "sites.name",
  account: ACCOUNT,
  site: "sites.id",
  timezone: "sites.timezone",
};
/** Names that dispatches have, each found by the index after the one before: they are few. */
const NAMES = `
  with recursive names (name) as (
    (select program_name from dispatches order by program_name limit 1)
    union all
    select (select program_name from dispatches where program_name > names.name order by program_name limit 1)
    from names where names.name is not null
  )
  select name from names where strpos(lower(name), lower($1)) > 0`;

const DAY = "to_char(start_time at time zone program_timezone, 'YYYY-MM-DD')";

/** More rows than that of an account's sites in dispatches are not gone through. */
const MOST_GONE_THROUGH = 10_000;

/** Dispatches of the account $2, if they are few. */
const CALLED = `(select dispatch_id, count(*) over () as count
  from (select dispatch_id from dispatch_sites where account_id = $2 limit ${MOST_GONE_THROUGH}) as own)`;

/** Condition on a dispatch: the account $2, which has many, is in it. Asked with a limit, so that it stays a look-up. */
const IS_OWN = "(select true from dispatch_sites where dispatch_id = dispatches.id and account_id = $2 limit 1)";

interface Days {
  /** Parameters: from when to when days begin that begin with the text; null: none does. */
  readonly from: string;
  readonly to: string;
}

/** The newest that match by their name, and by their day, and the one of that id. Nothing else of the past is read. */
const newestWhere = (where: string, { from, to }: Days): string => `
  select dispatches.* from dispatches where id = lower($1) and ${where}
  union
  select named.* from (${NAMES}) as names cross join lateral (
    -- A range, not an equality: where nearly all have one name, the planner goes through all for another one.
    select * from dispatches where program_name between names.name and names.name and ${where}
    order by program_name desc, start_time desc limit ${MOST_OF_A_KIND}
  ) as named
  union
  (select * from dispatches where start_time >= ${from}::timestamptz and start_time < ${to}::timestamptz
     and starts_with(${DAY}, $1) and ${where}
   order by start_time desc limit ${MOST_OF_A_KIND})`;

const dispatchesFrom = (source: string): Searched => ({
  from: `(${source}) as dispatches`,
  id: "dispatches.id",
  name: "program_name",
  also: [DAY],
  timezone: "program_timezone",
  start: "start_time",
  newest: "start_time",
});

/** Every kind that operators find. */
const everywhere: Readonly<Record<FoundKind, Searched & { readonly where?: string }>> = {
  account: { from: "accounts", id: "accounts.id", name: "accounts.name", account: ACCOUNT },
  site: sites,
  meter: meters,
  program: {
    from: "programs",
    id: "programs.id",
    name: "programs.name",
    detail: "nullif(market, '')",
    timezone: "programs.timezone",
    where: "not built_in",
  },
  dispatch: dispatchesFrom(newestWhere("true", { from: "$2", to: "$3" })),
  user: {
    from: "users left join accounts on accounts.id = users.account_id",
    id: "users.id",
    name: "users.name",
    detail: "users.email",
    also: ["users.email"],
    account: ACCOUNT,
    where: "users.deleted_at is null",
  },
  contact: {
    from: "contacts join accounts on accounts.id = contacts.account_id",
    id: "contacts.id",
    name: "contacts.name",
    detail: "contacts.email",
    also: ["contacts.email", "contacts.phone"],
    account: ACCOUNT,
  },
  ven: {
    from: "vens join accounts on accounts.id = vens.account_id",
    id: "vens.id",
    name: "vens.ven_id",
    account: ACCOUNT,
    where: "vens.deleted_at is null",
  },
};

const starts = (of: string): string => `starts_with(lower(${of}), lower($1))`;

/**
 * The best matches of a kind; $1 is the text. `strpos` knows no wildcards. A scan of 10,000 sites takes 12 ms, which an
 * index of trigrams (an extension that not every database has) would not be felt in addition.
 */
const bestOf = (kind: FoundKind, searched: Searched, where = "true"): string => {
  const { from, id, name, detail = "null", also = [], account = "null, null" } = searched;
  const { site = "null", timezone = "null", start = "null", newest = "null" } = searched;
  const texts = [name, id, ...also];
  return `(select '${kind}' as kind, found.id, found.name, detail, account_id, account_name, site_id, timezone, start
    from (
      select ${id} as id, ${name} as name, ${detail}::text as detail, ${account}, ${site}::text as site_id,
        ${timezone}::text as timezone, ${start}::timestamptz as start, ${newest}::timestamptz as newest,
        case when ${texts.map((of) => `lower(${of}) = lower($1)`).join(" or ")} then 0
             when ${texts.map(starts).join(" or ")} then 1
             when strpos(lower(${name}), ' ' || lower($1)) > 0 then 2
             else 3 end as rank
      from ${from}
      where ${where} and strpos(lower(concat_ws(e'\\n', ${texts.join(", ")})), lower($1)) > 0
    ) as found (id, name, detail, account_id, account_name, site_id, timezone, start, newest, rank)
    order by rank, newest desc nulls last, lower(found.name), found.id limit ${MOST_OF_A_KIND})`;
};

const EVERYWHERE = Object.entries(everywhere)
  .map(([kind, { where, ...searched }]) => bestOf(kind as FoundKind, searched, where))
  .join(" union all ");

const WAS_NOTIFIED = "notification_time <= $3 and (authorized or changed_at >= notification_time)";

/** All of an account that has few; of one with many, the newest that match. */
const OWN_DISPATCHES = `
  with called as materialized ${CALLED}
  select * from dispatches
  where id in (select dispatch_id from called where count < ${MOST_GONE_THROUGH}) and ${WAS_NOTIFIED}
  union
  select * from (${newestWhere(`${WAS_NOTIFIED} and ${IS_OWN}`, { from: "$4", to: "$5" })}) as newest
  where exists (select from called where count >= ${MOST_GONE_THROUGH})`;

/** $2 is the account, $3 is now; days are as above. A dispatch that was cancelled before its notification never existed for it. */
const OF_ACCOUNT = [
  bestOf("site", sites, "sites.account_id = $2"),
  bestOf("meter", meters, "sites.account_id = $2"),
  bestOf("dispatch", dispatchesFrom(OWN_DISPATCHES)),
].join(" union all ");

export const searchReader = (db: Queryable): SearchReader => ({
  async everywhere(needle, days) {
    const values = [needle, days?.from, days?.to];
    return readAll(db, camel<FoundRow>, { name: "search", text: EVERYWHERE, values });
  },
  // Planned for the account each time: those with few dispatches are found by them, those with many by their newest.
  ofAccount: (accountId, { needle, days }, now) =>
    readAll(db, camel<FoundRow>, OF_ACCOUNT, [needle, accountId, now, days?.from, days?.to]),
});
