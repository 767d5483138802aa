import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ServiceAddresses } from "../http/console/account.js";
import type { Config } from "../runtime/config.js";

/** IPv6 addresses stand in brackets in a URL. */
export const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** For those who must know it before anybody listens; where the port is 0, this is not it. */
export const configuredUrl = ({ host, port }: Config): string => `http://${urlHost(host)}:${port}`;

/** Port 0 takes a free one, so the address is known only when it is listened on. */
export const listeningUrl = (app: FastifyInstance): string => {
  const { address, port } = app.server.address() as AddressInfo;
  return `http://${urlHost(address)}:${port}`;
};

interface Listening {
  /** Address under which people reach the service. */
  readonly publicUrl: string;
  readonly sandbox: FastifyInstance;
  /** null: nobody listens to VENs here. */
  readonly openadrPort: number | null;
}

/** What participants' systems are told; while somebody listens. */
export const serviceAddresses = (config: Config, { publicUrl, sandbox, openadrPort }: Listening): ServiceAddresses => ({
  production: publicUrl,
  sandbox: config.sandboxPublicUrl ?? besidePublicUrl(config, sandbox),
  openadr: config.openadrPublicUrl ?? openadrAddress(config, publicUrl, openadrPort),
});

/** Address under which operators reach a listener of their own. */
export const operatorAddress = (config: Config, operators: FastifyInstance): string =>
  config.operatorPublicUrl ?? besidePublicUrl(config, operators);

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
