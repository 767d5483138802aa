import { claimKey, redeemLink } from "@curtail/client";
import { operator } from "@curtail/contract";
import { fleetCsv, type ProgramKey, programKeys, programs, type SiteSpec } from "@curtail/simulation";
import { type Api, callSettings } from "./api.js";
import { type KnownAccount, type KnownSite, type Made, newSecret, type Person } from "./memory.js";

/** Creates programs, accounts with their keys, sites with meters and enrolments, and two users. */
export const setUp = async (call: Api, fleet: readonly SiteSpec[]): Promise<Made> => {
  const programIds = {
    peak: (await call(operator.createProgram, { body: programs.peak })).id,
    reserve: (await call(operator.createProgram, { body: programs.reserve })).id,
  };
  await call(operator.importSites, { body: { csv: fleetCsv(fleet), dry_run: false } });
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
