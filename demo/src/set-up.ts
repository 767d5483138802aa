import { claimKey, redeemLink } from "@curtail/client";
import { operator } from "@curtail/contract";
import { type Api, callSettings } from "./api.js";
import { type KnownAccount, type KnownSite, type Made, newSecret, type Person } from "./memory.js";
import { type ProgramKey, programKeys, type SiteSpec } from "./site-spec.js";

const programs = {
  peak: {
    name: "Peak relief",
    timezone: "America/Chicago",
    market: "ERCOT",
    program_type: "capacity",
    baseline: { preset: "high_4_of_5" },
  },
  reserve: {
    name: "Fast reserve",
    timezone: "America/Chicago",
    market: "ERCOT",
    program_type: "ancillary_services",
    baseline: { preset: "meter_before" },
  },
} as const;

export const programNames: Readonly<Record<ProgramKey, string>> = {
  peak: programs.peak.name,
  reserve: programs.reserve.name,
};

/** Creates programs, accounts with their keys, sites with meters and enrolments, and two users. */
export const setUp = async (call: Api, fleet: readonly SiteSpec[]): Promise<Made> => {
  const programIds = {
    peak: (await call(operator.createProgram, { body: programs.peak })).id,
    reserve: (await call(operator.createProgram, { body: programs.reserve })).id,
  };
  await call(operator.importSites, { body: { csv: csvOf(fleet), dry_run: false } });
  const { items } = await call(operator.listAccounts, { query: { limit: operator.MAX_PAGE } });
  const accounts: KnownAccount[] = [];
  const sites: KnownSite[] = [];
  for (const { id, name } of items) {
    accounts.push({ id, name, key: await newKey(call, id) });
    sites.push(...(await sitesOf(call, id, fleet)));
  }
  await enrolInSecond(call, { fleet, sites, programIds });
  for (const { id } of sites) await enableDisplay(call, id);
  return { accounts, sites, programs: programIds, people: await people(call, accounts) };
};

/** Sites in the format of the operator's import; a file has one program per site. */
const csvOf = (fleet: readonly SiteSpec[]): string => {
  const header =
    "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type,program,commitment_kw".split(",");
  const lines = fleet.flatMap((site) => {
    const [program] = site.programs;
    const enrolled = program === undefined ? ["", ""] : [programNames[program], String(site.commitmentKw)];
    return site.meters.map((meter) => [
      site.account,
      site.name,
      site.code,
      site.group,
      site.timezone,
      meter.name,
      assetTypeOf(meter.kind),
      ...enrolled,
    ]);
  });
  return [header, ...lines].map((cells) => cells.join(",")).join("\n");
};

const assetTypeOf = (kind: SiteSpec["meters"][0]["kind"]): string => {
  if (kind === "battery") return "battery";
  return kind === "solar" ? "generator" : "load";
};

const newKey = async (call: Api, accountId: string): Promise<string> => {
  const { claim_url } = await call(operator.createKey, {
    params: { id: accountId },
    body: { environment: "production" },
  });
  return (await claimKey(claim_url, callSettings)).api_key;
};

const sitesOf = async (call: Api, accountId: string, fleet: readonly SiteSpec[]): Promise<KnownSite[]> => {
  const { items } = await call(operator.listAccountSites, {
    params: { id: accountId },
    query: { limit: operator.MAX_PAGE },
  });
  return fleet.flatMap(({ code, meters }) => {
    const site = items.find((each) => each.customer_location_id === code);
    if (site === undefined) return [];
    const idOf = (name: string): string => site.meters.find((meter) => meter.name === name)?.id ?? "";
    return [{ code, id: site.id, meterIds: meters.map(({ name }) => idOf(name)) }];
  });
};

interface Enrolling {
  readonly fleet: readonly SiteSpec[];
  readonly sites: readonly KnownSite[];
  readonly programIds: Readonly<Record<ProgramKey, string>>;
}

const enrolInSecond = async (call: Api, { fleet, sites, programIds }: Enrolling): Promise<void> => {
  for (const spec of fleet) {
    const site = sites.find(({ code }) => code === spec.code);
    for (const program of programKeys.filter((key) => spec.programs.slice(1).includes(key))) {
      const params = { id: programIds[program], site_id: site?.id ?? "" };
      await call(operator.enrolSite, { params, body: { commitment: spec.commitmentKw } });
    }
  }
};

/** Makes the site's data visible on pages. Services without data visibility ignore the member. */
const enableDisplay = async (call: Api, siteId: string): Promise<void> => {
  const body = { display_enabled: true } as Record<string, unknown>;
  await call(operator.changeSite, { params: { id: siteId }, body });
};

const people = async (call: Api, accounts: readonly KnownAccount[]): Promise<Person[]> => {
  const [account] = accounts;
  if (account === undefined) throw new Error("the fleet has no account; give it at least one site");
  const of = { role: "operator-admin", email: "operator@demo.example", of: "the operator" } as const;
  const theirs = { role: "participant-admin", email: "participant@demo.example", of: account.name } as const;
  return [
    await newPerson(call, { ...of, password: newSecret() }, {}),
    await newPerson(call, { ...theirs, password: newSecret() }, { account_id: account.id }),
  ];
};

/** Creates a user and accepts the invitation on their behalf. */
const newPerson = async (call: Api, person: Person, where: { readonly account_id?: string }): Promise<Person> => {
  const { role, email, password } = person;
  const name = role === "operator-admin" ? "Olivia Operator" : "Pat Participant";
  const { invitation_url } = await call(operator.createUser, { body: { email, name, role, ...where } });
  await redeemLink(invitation_url, { password }, callSettings);
  return person;
};
