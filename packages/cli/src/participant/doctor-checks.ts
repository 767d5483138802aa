/** A result of `curtail doctor`. */
export interface Check {
  readonly name: string;
  readonly result: "ok" | "warning" | "failed";
  readonly detail: string;
  /** What to do; null if nothing. */
  readonly advice: string | null;
}

export const good = (name: string, detail: string): Check => ({ name, result: "ok", detail, advice: null });
export const warning = (name: string, detail: string, advice: string): Check => ({
  name,
  result: "warning",
  detail,
  advice,
});
export const bad = (name: string, detail: string, advice: string): Check => ({
  name,
  result: "failed",
  detail,
  advice,
});

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
