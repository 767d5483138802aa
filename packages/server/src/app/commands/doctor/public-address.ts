import { bad, type Check, good, reasonOf, schemeCheck, unreachedCheck, warning } from "@curtail/cli";
import type { Config } from "../../../platform/runtime/config.js";
import { configuredUrl } from "../../addresses.js";
import { type ListenerIdentity, PAUSE_MS } from "../../routes/identity.js";
import { askAddress, type SeenAddress } from "./ask-address.js";

const NAME = "address";

/** An address of the service, and which listener should answer there. */
export interface ServiceAddress {
  readonly url: string;
  readonly listener: ListenerIdentity["listener"];
}

/** Those that the settings give. */
export const addressesToAsk = (config: Config): readonly ServiceAddress[] => {
  const { publicUrl, port, operatorPublicUrl, sandboxPublicUrl } = config;
  const production = publicUrl ?? (port === 0 ? null : configuredUrl(config));
  const given = [
    { url: production, listener: "production" },
    { url: operatorPublicUrl, listener: "operators" },
    { url: sandboxPublicUrl, listener: "sandbox" },
  ] as const;
  return given.flatMap(({ url, listener }) => (url === null ? [] : [{ url, listener }]));
};

/** @param identities those that this service may show; empty if its secrets key is not known */
export const addressChecks = (
  { url, listener }: ServiceAddress,
  seen: SeenAddress,
  identities: readonly string[],
): readonly Check[] => {
  const { identity, location, status } = seen;
  if (location !== null) return [bad(NAME, `${url} redirects to ${location}`, "set the address that it redirects to")];
  if (identity === null)
    return [
      bad(NAME, `${url} is not this service: it answered with ${status}`, "correct the address, or the proxy there"),
    ];
  if (identities.length > 0 && !identities.includes(identity.service))
    return [bad(NAME, `${url} leads to another Curtail`, "correct the address, or the proxy there")];
  if (identity.listener !== listener)
    return [
      bad(NAME, `${url} leads to the listener of ${identity.listener}`, `let the proxy lead to that of ${listener}`),
    ];
  return [good(NAME, `${url} leads to this service`), ...wayChecks(url, seen.apartMs, identity)];
};

/** What is in between: whether it holds streams back, and whose addresses the service sees. */
const wayChecks = (url: string, apartMs: number | null, { forwarding }: ListenerIdentity): readonly Check[] => {
  const scheme = schemeCheck(url);
  return [
    ...(scheme?.result === "failed" ? [{ ...scheme, name: NAME }] : []),
    streamCheck(url, apartMs),
    ...(forwarding === "untrusted"
      ? [
          warning(
            "proxy",
            `the proxy of ${url} is not trusted: all clients share its address`,
            "set CURTAIL_TRUSTED_PROXIES to its network",
          ),
        ]
      : []),
  ];
};

const streamCheck = (url: string, apartMs: number | null): Check => {
  const advice = "turn off buffering of the proxy for text/event-stream (nginx: proxy_buffering off)";
  if (apartMs === null) return warning("streams", `${url} breaks streams off`, advice);
  return apartMs < PAUSE_MS / 2
    ? warning("streams", `what is between holds events of ${url} back`, advice)
    : good("streams", `${url} passes events on as they come`);
};

/** @param identities as for `addressChecks` */
export const lookAtAddress = async (
  address: ServiceAddress,
  identities: readonly string[],
): Promise<readonly Check[]> => {
  try {
    return addressChecks(address, await askAddress(address.url), identities);
  } catch (error) {
    const { detail, advice } = unreachedCheck({ url: address.url, why: reasonOf(error), proxy: null });
    return [
      bad(NAME, detail, `${advice ?? ""}; is the service running, and is the address reached from this machine?`),
    ];
  }
};
