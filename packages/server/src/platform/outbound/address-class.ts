import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.parse>;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** `closed` ones are reached only if the operator allows their network; `never` ones not even then. */
export type AddressClass = "public" | "loopback" | "closed" | "never";

/** Ranges whose addresses may stand for another address, for this machine or for many machines (G33). */
const neverRanges: ReadonlySet<string> = new Set([
  "unspecified",
  "linkLocal",
  "multicast",
  "broadcast",
  "ipv4Mapped",
  "rfc6145",
  "rfc6052",
  "6to4",
  "teredo",
]);

const neverNetworks = [
  "::/96", // IPv4-compatible; ipaddr.js classifies it as unicast
  "168.63.129.16/32", // Azure's host; its number looks like unicast
  "100.100.100.200/32", // Alibaba's metadata, in a range that an operator may allow
  "192.0.0.192/32", // Oracle's metadata
  "fd00:ec2::254/128", // Amazon's metadata
  "fd20:ce::254/128", // Google's metadata
].map((cidr) => ipaddr.parseCIDR(cidr));

/** Everything else of IPv6 is unassigned or has a special use. */
const globalUnicast6 = ipaddr.parseCIDR("2000::/3");

export const classOf = (text: string): AddressClass => {
  const address = strictlyParsed(text);
  if (address === null) return "never";
  if (isLoopback(address)) return "loopback";
  if (neverRanges.has(address.range()) || neverNetworks.some((network) => isWithin(address, network))) return "never";
  const assigned = address.kind() === "ipv4" || isWithin(address, globalUnicast6);
  return assigned && address.range() === "unicast" ? "public" : "closed";
};

export const isInNetworks = (text: string, cidrs: readonly string[]): boolean => {
  const address = strictlyParsed(text);
  return address !== null && cidrs.some((cidr) => isWithin(address, ipaddr.parseCIDR(cidr)));
};

/** ipaddr.js also accepts octal, short and zoned forms, which we never dial. */
const strictlyParsed = (text: string): Address | null => {
  const family = text.includes("%") ? 0 : isIP(text);
  if (family === 0) return null;
  return ipaddr.parse(family === 4 ? text : withoutDots(text));
};

/** ipaddr.js takes ::127.0.0.1 for ::ffff:127.0.0.1, but parses the same address correctly in hex. */
const withoutDots = (text: string): string => new URL(`http://[${text}]/`).hostname.slice(1, -1);

const isLoopback = (address: Address): boolean => {
  const plain = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
  return plain.range() === "loopback";
};

const isWithin = (address: Address, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits);
