import type pg from "pg";
import { appended } from "../../platform/database/commits.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import type { ArchivedFiles } from "../../platform/files/archive-folder.js";
import { SIMULATED_SITE_ID } from "../domain/simulated-site.js";
import { type Owner, ownedRows } from "./owned-rows.js";

type Ids = ReadonlyMap<Owner, readonly unknown[]>;

interface Finder {
  readonly owner: Owner;
  /** SQL that returns `id`. */
  readonly find: string;
  /** What was found before, as $1 and so on. */
  readonly from: readonly Owner[];
}

const ofAccount = (owner: Owner, table: string, id = "id"): Finder => ({
  owner,
  find: `select ${id} as id from ${table} where account_id = any($1)`,
  from: ["account"],
});

const REFERS = `referring.program_id = any(own.ids) or referring.event_id = any(own.ids) or referring.ven_id = any(own.ids)`;

/** In this order. */
const finders: readonly Finder[] = [
  { owner: "account", find: "select account_id as id from simulated_site", from: [] },
  { owner: "program", find: "select program_id as id from simulated_site", from: [] },
  ofAccount("site", "sites"),
  ofAccount("key", "sites", "key"),
  ofAccount("user", "users"),
  ofAccount("apiKey", "api_keys", "'key:' || id"),
  ofAccount("ven", "vens"),
  ofAccount("client", "openadr3_clients"),
  ofAccount("statement", "statements"),
  ofAccount("scenario", "sandbox.scenarios"),
  {
    owner: "dispatch",
    find: `select id from dispatches where program_id = any($1)
      union select dispatch_id from dispatch_sites where account_id = any($2)`,
    from: ["program", "account"],
  },
  ofAccount("rehearsal", "sandbox.dispatch_sites", "distinct dispatch_id"),
  {
    owner: "alarm",
    find: `select id from alarms where account_id = any($1) or subject = any($2) or subject = any($3) or subject = any($4)`,
    from: ["account", "site", "program", "dispatch"],
  },
  {
    owner: "message",
    find: `select id from messages where account_id = any($1) or user_id = any($2) or subject = any($3) or subject = any($4)`,
    from: ["account", "user", "dispatch", "alarm"],
  },
  {
    owner: "trial",
    find: "select id from sandbox.messages where account_id = any($1) or subject = any($2)",
    from: ["account", "rehearsal"],
  },
  {
    owner: "object",
    find: `with own as materialized (
        select coalesce(array_agg(id), '{}') as ids from openadr3_objects
        where client_id = any($1) or source = 'client' and source_id = any($1) or source = 'site' and source_id = any($2)
          or source = 'program' and source_id = any($3) or source = 'dispatch' and source_id = any($4)
      ) select unnest(ids) as id from own
      union select referring.id from openadr3_objects as referring cross join own where ${REFERS}`,
    from: ["client", "site", "program", "dispatch"],
  },
  {
    owner: "passing",
    find: `select id from passing_messages where client_id = any($1) or subject = any($2)`,
    from: ["client", "object"],
  },
];

/** Deletes the simulated site with everything that belongs to it, in one transaction: it is a single site. */
export const simulatedSiteRemains = (pool: pg.Pool, archive: ArchivedFiles) => async (): Promise<void> => {
  await inTransaction(pool, async (client) => {
    // Only from here on, and for no other transaction, may evidence be deleted.
    const { rowCount } = await client.query(
      "update simulated_site set is_being_deleted = true where state = 'removing'",
    );
    if (rowCount !== 1) return;
    const ids = await found(client);
    // It also deletes from telemetry_archives, so that shards and other tables are committed in two phases.
    await removeFiles(client, archive, ids.get("key") ?? []);
    for (const { table, owners } of ownedRows)
      for (const [column, owner] of owners)
        await client.query(`delete from ${table} where ${column} = any($1)`, [ids.get(owner) ?? []]);
    await client.query("delete from simulated_site");
    await client.query(GONE);
    appended(client, "demo.remove");
  });
};

/** Whoever remembers what is deleted forgets it with the commit, as after a demo. */
const GONE = `insert into journal (at, kind, subject) select now(), 'demo.remove', '${SIMULATED_SITE_ID}'`;

const found = async (db: Queryable): Promise<Ids> => {
  const ids = new Map<Owner, readonly unknown[]>();
  for (const { owner, find, from } of finders) {
    const { rows } = await db.query<{ id: unknown }>(
      find,
      from.map((each) => ids.get(each) ?? []),
    );
    ids.set(
      owner,
      rows.map(({ id }) => id),
    );
  }
  return ids;
};

/** A file before its row: after a kill in between, removing it again does nothing. */
const removeFiles = async (db: Queryable, archive: ArchivedFiles, keys: readonly unknown[]): Promise<void> => {
  const { rows } = await db.query<{ file: string }>("select file from telemetry_archives where site = any($1)", [keys]);
  for (const { file } of rows) await archive.remove(file);
  await db.query("delete from telemetry_archives where site = any($1)", [keys]);
};
