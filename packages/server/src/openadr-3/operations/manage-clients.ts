import { type Role, scopesOf } from "@curtail/openadr-3";
import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { changesNothing } from "../../platform/changes-nothing.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { CHANGE_OVER_HOURS, MAX_CLIENTS, type Openadr3Client } from "../domain/client.js";
import { createClientVen, grantToVen, removeObjectsOf, type VenOfClient, venOf } from "./client-ven.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";
import type { ClientSecrets } from "./token-ports.js";

export type ClientManagingStores = Openadr3Stores &
  Pick<PortfolioStores, "sites"> &
  Pick<AccessStores, "accounts" | "audit">;

export type ClientPorts = Ports<ClientManagingStores> & {
  readonly clientSecrets: ClientSecrets;
  /** Makes this process look up every client again. */
  readonly forgetKeys: () => void;
};

/** A client with what is kept in its ven; null for business logic. */
export interface ManagedClient {
  readonly client: Openadr3Client;
  readonly ven: VenOfClient | null;
}

/** A client as it is created, or its secret rotated; null if it has none here. */
export interface ClientWithSecret extends ManagedClient {
  readonly secret: string | null;
}

export interface NewClient
  extends Pick<Openadr3Client, "accountId" | "environment" | "name" | "siteIds" | "externalId"> {
  readonly role: Role;
  /** undefined: all of its role. */
  readonly scopes: readonly string[] | undefined;
  readonly targets: readonly string[];
}

export const createClient = (
  { transact, clock, newId, clientSecrets }: ClientPorts,
  actor: Actor,
  { targets, ...input }: NewClient,
): Promise<Result<ClientWithSecret>> =>
  transact(async (stores) => {
    const scopes = input.scopes ?? scopesOf[input.role];
    const refusal =
      (await refuseNew(stores, input.accountId)) ??
      refuseScopes(input.role, scopes) ??
      (await refuseSites(stores, input));
    if (refusal !== null) return refusal;
    const at = clock.now();
    const unused = { previousSecretUntil: null, revokedAt: null, lastUsedAt: null };
    const client = { id: newId("oac"), ...input, scopes, tokensFrom: at, createdAt: at, ...unused };
    const made = client.externalId === null ? clientSecrets.newSecret() : null;
    if (!(await stores.openadr3Clients.insert(client, made?.secretHash ?? null)))
      return invalid(`external_id ${quote(input.externalId ?? "")} is that of another client; choose another`);
    const ven = client.role === "bl" ? null : await createClientVen(stores, { client, targets, newId, at });
    if (isRefusal(ven)) return ven;
    await stores.audit.append({ actor, at }, "openadr3_client.create", client, { after: audited({ client, ven }) });
    return { client, ven, secret: made?.secret ?? null };
  });

/** The account's lock serialises counting and adding. */
const refuseNew = async (stores: ClientManagingStores, accountId: string | null): Promise<Refusal | null> => {
  if (accountId !== null && (await stores.accounts.lock(accountId)) === null) return notFound("account");
  return (await stores.openadr3Clients.countStanding(accountId)) < MAX_CLIENTS
    ? null
    : invalid(`there are ${MAX_CLIENTS} clients already, the most allowed; revoke one first`);
};

const refuseScopes = (role: Role, scopes: readonly string[]): Refusal | null => {
  const other = scopes.filter((scope) => !(scopesOf[role] as readonly string[]).includes(scope));
  if (other.length === 0) return null;
  const who = role === "bl" ? "business logic" : "a VEN";
  return invalid(`scopes holds ${other.join(", ")}, which ${who} may not have; leave it out`);
};

const MAX_NAMED = 20;

const refuseSites = async (
  stores: Pick<ClientManagingStores, "sites">,
  { accountId, siteIds }: Pick<Openadr3Client, "accountId" | "siteIds">,
): Promise<Refusal | null> => {
  if (siteIds === null || accountId === null) return null;
  const known = new Set((await stores.sites.ofAccount(accountId)).map((site) => site.id));
  const unknown = siteIds.filter((id) => !known.has(id));
  return unknown.length === 0
    ? null
    : invalid(
        `sites holds ${unknown.slice(0, MAX_NAMED).map(quote).join(", ")}, which do not belong to the account; check the ids`,
      );
};

export interface ClientChange extends Partial<Pick<Openadr3Client, "name" | "siteIds" | "scopes">> {
  readonly targets?: readonly string[];
}

export const changeClient = (
  { transact, clock, forgetKeys }: ClientPorts,
  actor: Actor,
  id: string,
  { targets, ...change }: ClientChange,
): Promise<Result<ManagedClient>> =>
  transact(async (stores) => {
    const before = await lockStanding(stores, id);
    if (isRefusal(before)) return before;
    const client = { ...before.client, ...change };
    const refusal =
      refuseOfBusinessLogic(before, { ...change, targets }) ??
      refuseScopes(client.role, client.scopes) ??
      (await refuseSites(stores, client));
    if (refusal !== null) return refusal;
    const at = clock.now();
    const granted = targets !== undefined && before.ven !== null && !isSame(targets, before.ven.targets);
    if (changesNothing(before.client, change) && !granted) return before;
    await stores.openadr3Clients.save(client);
    const ven = granted ? await grantToVen(stores, client, { targets, at }) : before.ven;
    if (isRefusal(ven)) return ven;
    const audit = { before: audited(before), after: audited({ client, ven }) };
    await stores.audit.append({ actor, at }, "openadr3_client.change", client, audit);
    forgetKeys();
    return { client, ven };
  });

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index]);

const refuseOfBusinessLogic = (
  { client }: ManagedClient,
  { siteIds, targets }: Pick<ClientChange, "siteIds"> & { readonly targets: readonly string[] | undefined },
): Refusal | null =>
  client.role === "bl" && (siteIds !== undefined || targets !== undefined)
    ? invalid("business logic sees every site and has no targets; leave sites and targets out")
    : null;

/** Issues a new secret; the previous one is accepted for some hours more, or, after 0 hours, nothing issued before. */
export const rotateClientSecret = (
  { transact, clock, clientSecrets, forgetKeys }: ClientPorts,
  actor: Actor,
  id: string,
  previousValidHours = CHANGE_OVER_HOURS,
): Promise<Result<ClientWithSecret>> =>
  transact(async (stores) => {
    const before = await lockStanding(stores, id);
    if (isRefusal(before)) return before;
    if (before.client.externalId !== null)
      return invalid("the client has no secret here: it gets its tokens from the outside issuer");
    const at = clock.now();
    const keeps = previousValidHours > 0;
    const client: Openadr3Client = {
      ...before.client,
      previousSecretUntil: keeps ? new Date(at.getTime() + previousValidHours * 3_600_000) : null,
      tokensFrom: keeps ? before.client.tokensFrom : at,
    };
    const { secret, secretHash } = clientSecrets.newSecret();
    await stores.openadr3Clients.rotate(client, secretHash);
    const after = { client, ven: before.ven };
    const audit = { before: audited(before), after: audited(after) };
    await stores.audit.append({ actor, at }, "openadr3_client.rotate_secret", client, audit);
    forgetKeys();
    return { ...after, secret };
  });

/** Its tokens are refused from now on; it hears nothing more, and has no ven. */
export const revokeClient = (
  { transact, clock, forgetKeys }: ClientPorts,
  actor: Actor,
  id: string,
): Promise<Result<ManagedClient>> =>
  transact(async (stores) => {
    const before = await lockStanding(stores, id);
    if (isRefusal(before)) return before;
    const at = clock.now();
    const client = { ...before.client, revokedAt: at };
    await stores.openadr3Clients.save(client);
    await removeObjectsOf(stores, client, at);
    const audit = { before: audited(before), after: audited({ client, ven: before.ven }) };
    await stores.audit.append({ actor, at }, "openadr3_client.revoke", client, audit);
    forgetKeys();
    return { client, ven: null };
  });

const lockStanding = async (stores: ClientManagingStores, id: string): Promise<Result<ManagedClient>> => {
  const client = await stores.openadr3Clients.lock(id);
  if (client === null) return notFound("client");
  if (client.revokedAt !== null) return invalid("the client was revoked; create another");
  return { client, ven: await venOf(stores, client) };
};

export const findClient = async (
  stores: Pick<ClientManagingStores, "openadr3Clients" | "openadr3Objects">,
  id: string,
): Promise<Result<ManagedClient>> => {
  const client = await stores.openadr3Clients.find(id);
  return client === null ? notFound("client") : { client, ven: await venOf(stores, client) };
};

/** Its activity is no change of the client. */
const audited = ({ client, ven }: ManagedClient) => {
  const { lastUsedAt: _used, tokensFrom: _tokens, ...members } = client;
  return { ...members, targets: ven?.targets ?? [] };
};
