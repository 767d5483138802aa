import { operator, participantConsole, VERSION } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { notFound } from "../../platform/refusal.js";
import { personOf } from "../caller/person.js";
import type { AccountStore } from "../operations/access-stores.js";

/** Addresses of the service for participants' systems, without trailing slashes. */
export interface ServiceAddresses {
  readonly production: string;
  readonly sandbox: string;
  /** null if VENs have none. */
  readonly openadr: string | null;
  /** With its base path; null if it is not offered. */
  readonly openadr3: string | null;
}

interface Connecting {
  readonly addresses: () => ServiceAddresses;
  readonly keyHeader: string;
}

const addressesToWire = ({ addresses, keyHeader }: Connecting) => {
  const { production, sandbox, openadr, openadr3 } = addresses();
  return {
    rest_url: `${production}/${VERSION}`,
    sandbox_url: `${sandbox}/${VERSION}`,
    openadr_url: openadr,
    openadr3_url: openadr3,
    api_key_header: keyHeader,
  };
};

/** How participants' systems connect, for operators who help them. */
export const addressRoutes = (app: FastifyInstance, connecting: Connecting): void =>
  serve(app, operator.getAddresses, async () => addressesToWire(connecting));

/** The caller's own account, and how its systems connect. */
export const ownAccountRoutes = (
  app: FastifyInstance,
  { stores }: { readonly stores: { readonly accounts: Pick<AccountStore, "find"> } },
  connecting: Connecting,
): void =>
  serve(app, participantConsole.getOwnAccount, async ({ request }) => {
    const account = await stores.accounts.find(personOf(request).within);
    if (account === null) return notFound("account");
    return { id: account.id, name: account.name, ...addressesToWire(connecting) };
  });
