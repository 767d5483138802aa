import { operator } from "@curtail/contract";
import { CommandFailure } from "./admin-io.js";
import { type Connection, callOperator, everyPage } from "./operator-client.js";
import type { AssetType } from "./replay-csv.js";

export interface MeterChoice {
  readonly accountId: string;
  /** Only meters of this site. */
  readonly siteId: string | undefined;
  /** Site in which missing meters are created; undefined: they are an error. */
  readonly newSite: string | undefined;
}

/** Resolves each meter name of the file to an id: an id itself, or the name of exactly one meter of the account. */
export const matchMeters = async (
  connection: Connection,
  choice: MeterChoice,
  wanted: ReadonlyMap<string, AssetType>,
): Promise<Map<string, string>> => {
  const sites = await sitesOf(connection, choice);
  const matched = new Map<string, string>();
  const unknown: Array<{ name: string; asset_type: AssetType }> = [];
  const faults: string[] = [];
  for (const [name, assetType] of wanted) {
    const found = metersNamed(sites, name);
    if (found.length > 1) faults.push(severalMeters(name, found));
    const only = found[0];
    if (only === undefined) unknown.push({ name, asset_type: assetType });
    else matched.set(name, only.meterId);
  }
  if (unknown.length > 0 && choice.newSite === undefined)
    faults.unshift(
      unknownMeters(
        unknown.map(({ name }) => name),
        choice,
      ),
    );
  if (faults.length > 0) throw new CommandFailure(faults.join("\n"));
  if (choice.newSite === undefined || unknown.length === 0) return matched;
  const made = await makeMeters(connection, choice.accountId, {
    site: siteNamed(sites, choice.newSite),
    name: choice.newSite,
    meters: unknown,
  });
  for (const meter of made) if (!matched.has(meter.name)) matched.set(meter.name, meter.id);
  return matched;
};

interface FoundMeter {
  readonly meterId: string;
  readonly site: string;
}

const sitesOf = async (
  connection: Connection,
  { accountId, siteId }: MeterChoice,
): Promise<operator.OperatorSite[]> => {
  const sites: operator.OperatorSite[] = [];
  const query = { limit: operator.MAX_PAGE };
  for await (const page of everyPage(connection, operator.listAccountSites, { params: { id: accountId }, query })) {
    sites.push(...page);
  }
  if (siteId === undefined) return sites;
  const site = sites.find(({ id }) => id === siteId);
  if (site === undefined)
    throw new CommandFailure(
      `account ${accountId} has no site ${siteId}; \`curtail admin sites list ${accountId}\` lists its sites`,
    );
  return [site];
};

const metersNamed = (sites: readonly operator.OperatorSite[], wanted: string): FoundMeter[] => {
  const all = sites.flatMap((site) => site.meters.map(({ id, name }) => ({ id, name, site: site.name })));
  const byId = all.filter(({ id }) => id === wanted);
  const found = byId.length > 0 ? byId : all.filter(({ name }) => name === wanted);
  return found.map(({ id, site }) => ({ meterId: id, site }));
};

const MAX_SHOWN = 20;

const severalMeters = (name: string, found: readonly FoundMeter[]): string => {
  const shown = found.slice(0, MAX_SHOWN).map(({ meterId, site }) => `${meterId} (${site})`);
  return `"${name}" is the name of ${found.length} meters: ${shown.join(", ")}; select one with --site, or use meter ids in the file`;
};

const unknownMeters = (names: readonly string[], { accountId, siteId }: MeterChoice): string => {
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : "";
  const shown = names.slice(0, MAX_SHOWN).map((name) => `"${name}"`);
  const where = siteId === undefined ? `account ${accountId}` : `site ${siteId}`;
  return `${where} has no meter ${shown.join(", ")}${more}; add it with \`curtail admin meters add\`, or create it with --create-site NAME`;
};

interface MissingMeters {
  readonly site: operator.OperatorSite | undefined;
  readonly name: string;
  readonly meters: ReadonlyArray<{ readonly name: string; readonly asset_type: AssetType }>;
}

/** A site of that name, created by an earlier run that did not finish, gets what is still missing. */
const siteNamed = (sites: readonly operator.OperatorSite[], wanted: string): operator.OperatorSite | undefined =>
  sites.find(({ name }) => name === wanted);

const makeMeters = async (
  connection: Connection,
  accountId: string,
  { site: existing, name, meters }: MissingMeters,
): Promise<operator.OperatorMeter[]> => {
  const site =
    existing ??
    (await callOperator(connection, operator.createSite, { params: { id: accountId }, body: { name } })).reply;
  const made: operator.OperatorMeter[] = [];
  for (const body of meters) {
    made.push((await callOperator(connection, operator.createMeter, { params: { id: site.id }, body })).reply);
  }
  return made;
};
