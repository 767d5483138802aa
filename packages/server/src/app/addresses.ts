import type { AddressInfo } from "node:net";
import { BASE_PATH } from "@curtail/openadr-3";
import type { FastifyInstance } from "fastify";
import type { ServiceAddresses } from "../access/http/console-account.js";
import type { Config } from "../platform/runtime/config.js";

/** A host in a URL; IPv6 addresses go in brackets. */
export const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** For code that needs the address before listening; not the real one if the port is 0. */
export const configuredUrl = ({ host, port }: Config): string => `http://${urlHost(host)}:${port}`;

/** Port 0 selects a free one, so the address is known only while listening. */
const listeningUrl = (app: FastifyInstance): string => {
  const { address, port } = app.server.address() as AddressInfo;
  return `http://${urlHost(address)}:${port}`;
};

interface Listeners {
  readonly app: FastifyInstance;
  /** null: `app` serves operators. */
  readonly operators: FastifyInstance | null;
  readonly sandbox: { readonly app: FastifyInstance };
  /** null: no listener for VENs here. */
  readonly vtn: { port(): number | null };
  /** Address of OpenADR 3 for clients; null: no listener for it here. */
  readonly openadr3: { url(): string | null };
}

/** Addresses of the service; available while it listens. */
export interface Addresses {
  publicUrl(this: void): string;
  /** The operators' address. */
  operatorUrl(this: void): string;
  /** Addresses shown to participants' systems. */
  ofService(this: void): ServiceAddresses;
}

/** Listeners answer with the addresses of all of them, so `know` is called when all are built. */
export const addressesOf = (config: Config): Addresses & { know(listeners: Listeners): void } => {
  let known: Listeners | null = null;
  const listening = (): Listeners => {
    if (known === null) throw new Error("an address was asked for before the listeners were built");
    return known;
  };
  const publicUrl = () => config.publicUrl ?? listeningUrl(listening().app);
  return {
    know(listeners) {
      known = listeners;
    },
    publicUrl,
    operatorUrl() {
      const { operators } = listening();
      return operators === null ? publicUrl() : (config.operatorPublicUrl ?? besidePublicUrl(config, operators));
    },
    ofService() {
      const { sandbox, vtn, openadr3: listener } = listening();
      const openadr3 = config.openadr3PublicUrl ?? listener.url();
      return {
        production: publicUrl(),
        sandbox: config.sandboxPublicUrl ?? besidePublicUrl(config, sandbox.app),
        openadr: config.openadrPublicUrl ?? openadrAddress(config, publicUrl(), vtn.port()),
        openadr3: openadr3 === null ? null : `${openadr3}${BASE_PATH}`,
      };
    },
  };
};

/** The public address with the listener's port. */
const besidePublicUrl = ({ publicUrl }: Config, beside: FastifyInstance): string => {
  const listening = listeningUrl(beside);
  if (publicUrl === null) return listening;
  const { protocol, hostname } = new URL(publicUrl);
  return `${protocol}//${hostname}:${new URL(listening).port}`;
};

const openadrAddress = ({ openadrHostnames }: Config, publicUrl: string, openadrPort: number | null): string | null => {
  if (openadrPort === null) return null;
  const named = openadrHostnames?.[0];
  return `https://${named === undefined ? new URL(publicUrl).hostname : urlHost(named)}:${openadrPort}`;
};
