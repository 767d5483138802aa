import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.parse>;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** `closed` ones are reached only where the operator names their network; `never` ones not even then. */
export type AddressClass = "public" | "loopback" | "closed" | "never";

/** Ranges in which an address may stand for another one, for this machine, or for many (G33). */
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
  "::/96", // IPv4-compatible, which ipaddr.js calls unicast
  "168.63.129.16/32", // Azure's host, unicast by its number
  "100.100.100.200/32", // Alibaba's metadata, in a range that an operator may open
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

/** ipaddr.js also reads octal, short and zoned forms; what is dialled here has none. */
const strictlyParsed = (text: string): Address | null => {
  const family = text.includes("%") ? 0 : isIP(text);
  if (family === 0) return null;
  return ipaddr.parse(family === 4 ? text : withoutDots(text));
};

/** ipaddr.js takes ::127.0.0.1 for ::ffff:127.0.0.1; the same address in hex it reads rightly. */
const withoutDots = (text: string): string => new URL(`http://[${text}]/`).hostname.slice(1, -1);

const isLoopback = (address: Address): boolean => {
  const plain = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
  return plain.range() === "loopback";
};

const isWithin = (address: Address, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits);
