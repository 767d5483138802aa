import type { MeterKey } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { onceFor } from "../../platform/once.js";
import type { ReadingSource } from "../domain/reading.js";
import type { MeterDirectory, UnresolvedSource } from "../operations/record-telemetry.js";
import { type KnownMeter, KnownMeters } from "./known-meters.js";

/** Where a million send once a minute, each upload would ask for its meters again if they were not all known. */
const MOST_KNOWN = 3_000_000;

/** By pool. Misses are not kept, so that a new meter counts at once. */
const memoryOf = onceFor((_db: Queryable) => new KnownMeters(MOST_KNOWN));

/** Meters by id, those of these ids that exist. */
export const knownMeters = async (db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, KnownMeter>> => {
  const known = memoryOf(db);
  const found = new Map<string, KnownMeter>();
  const unknown: string[] = [];
  for (const id of ids) {
    const meter = known.get(id);
    if (meter === undefined) unknown.push(id);
    else found.set(id, meter);
  }
  if (unknown.length === 0) return found;
  const asked = await findMeters(db, unknown);
  known.add(asked);
  for (const [id, meter] of asked) found.set(id, meter);
  return found;
};

/** Finds the meters of an upload. */
export const meterDirectory = (db: Queryable): MeterDirectory => {
  /** What was found of lists that name meters only: the reader has the same one for each upload of a gateway. */
  const answers = new WeakMap<readonly ReadingSource[], Found>();
  return {
    async resolve(accountId, sources) {
      const before = answers.get(sources);
      if (before?.accountId === accountId) return before.keys;
      const keys = await found(db, accountId, sources);
      if (sources.every(({ kind }) => kind === "meter") && keys.every((key) => typeof key !== "string"))
        answers.set(sources, { accountId, keys });
      return keys;
    },
  };
};

interface Found {
  readonly accountId: string;
  readonly keys: ReadonlyArray<MeterKey | UnresolvedSource>;
}

const found = async (
  db: Queryable,
  accountId: string,
  sources: readonly ReadingSource[],
): Promise<ReadonlyArray<MeterKey | UnresolvedSource>> => {
  const known = await knownMeters(db, idsOf("meter", sources));
  const siteIds = idsOf("site", sources);
  const sites = siteIds.length === 0 ? new Map<string, MeterKey[]>() : await findSites(db, accountId, siteIds);
  return sources.map(({ kind, id }) =>
    kind === "site" ? onlyMeterOf(sites.get(id)) : ownMeter(known.get(id), accountId),
  );
};

const idsOf = (kind: ReadingSource["kind"], sources: readonly ReadingSource[]): string[] =>
  sources.filter((source) => source.kind === kind).map((source) => source.id);

const ownMeter = (meter: KnownMeter | undefined, accountId: string): MeterKey | UnresolvedSource =>
  meter?.accountId === accountId ? meter.key : "unknown";

const onlyMeterOf = (meters: readonly MeterKey[] | undefined): MeterKey | UnresolvedSource => {
  if (meters === undefined) return "unknown";
  return meters.length > 1 ? "several_meters" : (meters[0] ?? "no_meter");
};

const findMeters = async (db: Queryable, ids: readonly string[]): Promise<Array<[string, KnownMeter]>> => {
  const { rows } = await db.query<{ id: string; meter: number; site: number; account_id: string }>(
    `select meters.id, meters.key as meter, sites.key as site, account_id
     from meters join sites on sites.id = site_id where meters.id = any($1)`,
    [ids],
  );
  return rows.map((row) => [row.id, { accountId: row.account_id, key: { site: row.site, meter: row.meter } }]);
};

const findSites = async (
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, MeterKey[]>> => {
  const { rows } = await db.query<{ id: string; site: number; meter: number | null }>({
    name: "meters-of-named-sites",
    text: `select sites.id, sites.key as site, meters.key as meter
           from sites left join meters on meters.site_id = sites.id
           where account_id = $1 and sites.id = any($2)`,
    values: [accountId, ids],
  });
  const sites = new Map<string, MeterKey[]>(rows.map((row) => [row.id, []]));
  for (const { id, site, meter } of rows) if (meter !== null) sites.get(id)?.push({ site, meter });
  return sites;
};
