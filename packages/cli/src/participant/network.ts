import { usageFault } from "../admin-io.js";
import type { Environment } from "./participant-io.js";

const valueOf = (environment: Environment, name: string): string =>
  environment[name.toLowerCase()] || environment[name] || "";

/**
 * The proxy for an address by the usual variables; null: the service is reached directly. Throws a `CommandFailure` for
 * one that cannot be used.
 */
export const proxyFor = (url: string, environment: Environment): string | null => {
  const { protocol, hostname, port } = new URL(url);
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = valueOf(environment, name);
  return proxy === "" || isExcepted(hostname, port, valueOf(environment, "NO_PROXY")) ? null : checked(proxy, name);
};

/** As curl does, takes a host with a port, too. */
const checked = (proxy: string, name: string): string => {
  const address = /^[a-z][\w+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  const { protocol } = URL.canParse(address) ? new URL(address) : { protocol: null };
  if (protocol === "http:" || protocol === "https:") return address;
  throw usageFault(`${name} is not the address of an HTTP proxy, such as http://proxy.example.com:3128`);
};

/** `NO_PROXY`: hosts with or without a port, or domains, divided by commas or spaces. */
const isExcepted = (hostname: string, port: string, exceptions: string): boolean =>
  exceptions
    .split(/[\s,]+/)
    .filter((each) => each !== "")
    .some((each) => {
      if (each === "*") return true;
      const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(each.replace(/^\*?\./, "")) ?? [];
      return (only === undefined || only === port) && (hostname === name || hostname.endsWith(`.${name}`));
    });

/** Node's `fetch`, or one that goes through the proxy. */
export const fetchFor = async (url: string, environment: Environment): Promise<typeof fetch> => {
  const proxy = proxyFor(url, environment);
  if (proxy === null) return fetch;
  const { fetch: fetchWith, ProxyAgent } = await import("undici");
  const dispatcher = new ProxyAgent(proxy);
  // The same interface: Node's `fetch` is undici's.
  return (input: unknown, init?: unknown) => fetchWith(input as never, { ...(init as object), dispatcher });
};
