import { bad, type Check, good, warning } from "../check.js";
import { howToReplace } from "./participant-failure.js";

/** A request that got no response. */
export interface Unreached {
  readonly url: string;
  /** Code or words of the failure. */
  readonly why: string;
  /** The proxy in between, without its password. */
  readonly proxy: string | null;
}

export const unreachedCheck = ({ url, why, proxy }: Unreached): Check => {
  const through = proxy === null ? "" : ` through the proxy ${proxy}`;
  return bad("reachable", `${url}${through}: ${why}`, adviceFor({ url, why, proxy }));
};

const adviceFor = ({ url, why, proxy }: Unreached): string =>
  advices.find(({ fits, over = "any" }) => fits.test(why) && (over === "any" || over === wayTo(url, proxy)))?.advice ??
  "check the network, the firewall and the proxy (HTTPS_PROXY, NO_PROXY)";

type Way = "proxy" | "http" | "https";

const wayTo = (url: string, proxy: string | null): Way => {
  if (proxy !== null) return "proxy";
  return url.startsWith("https:") ? "https" : "http";
};

interface Advice {
  readonly fits: RegExp;
  /** Default: any. */
  readonly over?: Way | "any";
  readonly advice: string;
}

/** The first that fits counts. */
const advices: readonly Advice[] = [
  { fits: /ALTNAME/, advice: "the certificate is of another name: check the address" },
  {
    fits: /CERT_HAS_EXPIRED/,
    advice: "the operator must renew the certificate, unless the clock of this machine is wrong",
  },
  { fits: /CERT_NOT_YET_VALID/, advice: "the certificate is not valid yet: check the clock of this machine" },
  {
    fits: /CERT|SELF_SIGNED|VERIFY/,
    advice:
      "the certificate is not trusted; if your company has its own authority, set NODE_EXTRA_CA_CERTS to its file",
  },
  { fits: /ERR_SSL|EPROTO/, advice: "the port does not speak TLS: check the port, or begin the address with http://" },
  {
    fits: /./,
    over: "proxy",
    advice: "the proxy does not let it through: check HTTPS_PROXY and HTTP_PROXY, or name the host in NO_PROXY",
  },
  { fits: /^ENOTFOUND|^EAI_/, advice: "the name is unknown: check the address and the DNS server" },
  { fits: /^ECONNREFUSED/, advice: "nothing listens there: check the address and port" },
  {
    fits: /UND_ERR_SOCKET|ECONNRESET/,
    over: "http",
    advice: "the connection was closed: if the service speaks TLS, its address begins with https://",
  },
];

/** A response, as far as the checks look at it. */
export interface Reply {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

/** Null if the service itself responded to `GET /sites`. */
export const strangerCheck = (url: string, { status, location, body }: Reply): Check | null => {
  if (isOfService(status, body)) return null;
  if (location !== null)
    return bad("reachable", `${url} redirects to ${location}`, "use the address of the service itself");
  const detail = `${url} is not the service: it responded with ${status}`;
  if (status < 500) return bad("reachable", detail, "check the address");
  return bad("reachable", detail, "something in front of the service responds in its place: ask the operator");
};

const isOfService = (status: number, body: string): boolean => {
  if (status === 404) return false;
  const parsed = membersOf(body);
  return status === 200 ? Array.isArray(parsed["sites"]) : typeof parsed["message"] === "string";
};

const membersOf = (body: string): Readonly<Record<string, unknown>> => {
  try {
    return (JSON.parse(body) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** @param from where the key was found */
export const keyCheck = ({ status, body }: Reply, from: string): Check => {
  if (status === 200) return good("key", "accepted");
  const message = membersOf(body)["message"];
  const said = typeof message === "string" ? message : `the service responded with ${status}`;
  if (status !== 401) return bad("key", said, "try again later; if it stays, ask the operator");
  const advice = /address/.test(said)
    ? "use a key of this environment, or the address of the other one"
    : `ask the operator for a new key, and ${howToReplace(from)}`;
  return bad("key", `${said} The key is from ${from}.`, advice);
};

const WARN_SKEW_MS = 5000;
/** Readings may be at most 5 minutes ahead, and webhooks are verified within 5 minutes. */
const MAX_SKEW_MS = 120_000;

/**
 * Compares this machine's clock with the service's.
 *
 * @param date the Date header, in whole seconds
 * @param sentMs when the request was sent and its response arrived, by this machine
 */
export const clockCheck = (date: string | null, sentMs: number, arrivedMs: number): Check => {
  const servedMs = Date.parse(date ?? "");
  if (Number.isNaN(servedMs)) return warning("clock", "the response has no Date header", "check the clock by hand");
  // The header is cut to the second.
  const skewMs = Math.round((sentMs + arrivedMs) / 2 - (servedMs + 500));
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  const detail = `${seconds} s ${skewMs < 0 ? "behind" : "ahead of"} the service`;
  const advice = "synchronize the clock with NTP: dispatches start by the clock, and readings carry its time";
  if (Math.abs(skewMs) <= WARN_SKEW_MS) return good("clock", detail);
  return Math.abs(skewMs) <= MAX_SKEW_MS ? warning("clock", detail, advice) : bad("clock", detail, advice);
};

/** Keys are sent in a header: only the machine itself may be reached without TLS. */
export const schemeCheck = (url: string): Check | null => {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:") return null;
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  if (isLocal) return good("tls", `not needed: ${hostname} is this machine`);
  return bad("tls", "the address begins with http://: anybody on the way can read the key", "use the https:// address");
};

const DAY_MS = 86_400_000;
const WARN_DAYS = 14;

export const certificateCheck = (validTo: string, nowMs: number): Check => {
  const days = Math.floor((Date.parse(validTo) - nowMs) / DAY_MS);
  const detail = `the certificate is valid for ${days} more days`;
  return days >= WARN_DAYS ? good("tls", detail) : warning("tls", detail, "the operator must renew it");
};

/** Newest reading of a site, in Unix milliseconds; null if there is none in the last 24 hours. */
export interface SiteReadings {
  readonly name: string;
  readonly meters: number;
  readonly newestMs: number | null;
}

/** Readings are expected every minute; a site without any cannot be measured. */
const LATE_MS = 15 * 60_000;

export const readingsCheck = (sites: readonly SiteReadings[], nowMs: number): Check => {
  const name = "readings";
  const without = sites.filter(({ newestMs }) => newestMs === null).map((site) => site.name);
  const late = sites.filter(({ newestMs }) => newestMs !== null && nowMs - newestMs > LATE_MS);
  const send = "send readings of each meter at least every 5 minutes (`curtail upload`)";
  if (without.length > 0) return warning(name, `none in the last 24 hours: ${shortList(without)}`, send);
  if (late.length > 0) return warning(name, `older than 15 minutes: ${shortList(late.map((site) => site.name))}`, send);
  const newest = Math.max(...sites.map(({ newestMs }) => newestMs ?? 0));
  return good(name, `all sites, newest ${Math.max(0, Math.round((nowMs - newest) / 1000))} s ago`);
};

const SHOWN = 5;

const shortList = (names: readonly string[]): string =>
  names.length <= SHOWN ? names.join(", ") : `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more`;

export const webhooksCheck = (
  webhooks: ReadonlyArray<{ readonly events: readonly { readonly name: string }[] }>,
): Check => {
  const name = "webhooks";
  const covered = (event: string) => webhooks.some(({ events }) => events.some((each) => each.name === event));
  if (webhooks.length === 0)
    return warning(name, "none", "register one with `curtail webhooks add URL`, unless you poll or run a VEN");
  const missing = ["dispatch.create", "dispatch.update"].filter((event) => !covered(event));
  if (missing.length > 0) return warning(name, `no webhook for ${missing.join(", ")}`, "register one for both events");
  return good(name, `${webhooks.length}`);
};
