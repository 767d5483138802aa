import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import type { Within } from "../../platform/answer-once.js";
import { serve } from "../../platform/http/endpoint.js";
import { given } from "../../platform/http/given.js";
import { listed } from "../../platform/http/page.js";
import { type OncePorts, serveOnce } from "../../platform/http/serve-once.js";
import type { PageRequest } from "../../platform/page.js";
import { done, isRefusal, notFound, type Result } from "../../platform/refusal.js";
import type { VenOfClient } from "../operations/client-ven.js";
import {
  type ClientManagingStores,
  type ClientPorts,
  type ClientWithSecret,
  changeClient,
  createClient,
  findClient,
  type ManagedClient,
  revokeClient,
  rotateClientSecret,
} from "../operations/manage-clients.js";
import { clientToWire } from "./wire-client.js";

export type Openadr3ClientRoutePorts = ClientPorts & OncePorts<Within<ClientManagingStores>>;

const sitesFrom = (sites: "all" | readonly string[] | undefined): readonly string[] | null | undefined =>
  sites === "all" ? null : sites && [...new Set(sites)];

const distinct = (list: readonly string[] | undefined) => list && [...new Set(list)];

const withSecret = (made: Result<ClientWithSecret>): Result<operator.NewOpenadr3Client> =>
  isRefusal(made) ? made : { ...clientToWire(made), client_secret: made.secret };

const toWire = (managed: Result<ManagedClient>): Result<operator.Openadr3Client> =>
  isRefusal(managed) ? managed : clientToWire(managed);

/** Clients of OpenADR 3: VENs of accounts, and business logic. */
export const openadr3ClientRoutes = (app: FastifyInstance, ports: Openadr3ClientRoutePorts): void => {
  accountClientRoutes(app, ports);
  businessLogicRoutes(app, ports);
  serve(app, operator.getOpenadrClient, async ({ params }) => toWire(await findClient(ports.stores, params.id)));
  serve(app, operator.changeOpenadrClient, async ({ params, body, request }) => {
    const { name, sites, scopes, targets } = body;
    const change = given({ name, siteIds: sitesFrom(sites), scopes, targets: distinct(targets) });
    return toWire(await changeClient(ports, actorOf(request), params.id, change));
  });
  serveOnce(app, operator.rotateOpenadrSecret, ports, async ({ params, body, request }, ports) => {
    const rotated = await rotateClientSecret(ports, actorOf(request), params.id, body.previous_valid_hours);
    return withSecret(rotated);
  });
  serve(app, operator.revokeOpenadrClient, ({ params, request }) =>
    done(revokeClient(ports, actorOf(request), params.id)),
  );
};

const accountClientRoutes = (app: FastifyInstance, ports: Openadr3ClientRoutePorts): void => {
  serveOnce(app, operator.createOpenadrClient, ports, async ({ params, body, request }, ports) =>
    withSecret(
      await createClient(ports, actorOf(request), {
        role: "ven",
        accountId: params.id,
        environment: body.environment ?? "production",
        name: body.name,
        siteIds: sitesFrom(body.sites) ?? null,
        scopes: body.scopes,
        targets: distinct(body.targets) ?? [],
        externalId: body.external_id ?? null,
      }),
    ),
  );
  serve(app, operator.listOpenadrClients, async ({ params, query }) =>
    (await ports.stores.accounts.find(params.id)) === null ? notFound("account") : listOf(ports, query, params.id),
  );
};

const businessLogicRoutes = (app: FastifyInstance, ports: Openadr3ClientRoutePorts): void => {
  serveOnce(app, operator.createBusinessLogic, ports, async ({ body, request }, ports) =>
    withSecret(
      await createClient(ports, actorOf(request), {
        role: "bl",
        accountId: null,
        environment: body.environment ?? "production",
        name: body.name,
        siteIds: null,
        scopes: body.scopes,
        targets: [],
        externalId: body.external_id ?? null,
      }),
    ),
  );
  serve(app, operator.listBusinessLogic, async ({ query }) => listOf(ports, query, null));
};

const listOf = (
  { stores }: Openadr3ClientRoutePorts,
  query: Parameters<typeof listed>[0],
  accountId: string | null,
) => {
  let vens: ReadonlyMap<string, VenOfClient> = new Map();
  const list = async (page: PageRequest) => {
    const found = await stores.openadr3Clients.list(accountId, page);
    vens = await stores.openadr3Objects.vensOfClients(found.items.map(({ id }) => id));
    return found;
  };
  return listed(query, list, (client) => clientToWire({ client, ven: vens.get(client.id) ?? null }));
};
