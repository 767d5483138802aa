import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ServiceAddresses } from "../access/http/console-account.js";
import type { Config } from "../platform/runtime/config.js";

/** IPv6 addresses stand in brackets in a URL. */
export const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** For those who must know it before anybody listens; where the port is 0, this is not it. */
export const configuredUrl = ({ host, port }: Config): string => `http://${urlHost(host)}:${port}`;

/** Port 0 takes a free one, so the address is known only when it is listened on. */
const listeningUrl = (app: FastifyInstance): string => {
  const { address, port } = app.server.address() as AddressInfo;
  return `http://${urlHost(address)}:${port}`;
};

/** What listens, once it is made. */
interface Listening {
  readonly app: FastifyInstance;
  /** null: `app` serves operators. */
  readonly operators: FastifyInstance | null;
  readonly sandbox: FastifyInstance;
  /** null: nobody listens to VENs here. */
  readonly openadrPort: number | null;
}

/** Where the service is reached; asked for while it listens. */
export interface Addresses {
  publicUrl(this: void): string;
  /** Where operators reach it. */
  operatorUrl(this: void): string;
  /** Addresses shown to participants' systems. */
  ofService(this: void): ServiceAddresses;
}

export const addressesOf = (config: Config, listening: () => Listening): Addresses => {
  const publicUrl = () => config.publicUrl ?? listeningUrl(listening().app);
  return {
    publicUrl,
    operatorUrl() {
      const { operators } = listening();
      return operators === null ? publicUrl() : (config.operatorPublicUrl ?? besidePublicUrl(config, operators));
    },
    ofService() {
      const { sandbox, openadrPort } = listening();
      return {
        production: publicUrl(),
        sandbox: config.sandboxPublicUrl ?? besidePublicUrl(config, sandbox),
        openadr: config.openadrPublicUrl ?? openadrAddress(config, publicUrl(), openadrPort),
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
