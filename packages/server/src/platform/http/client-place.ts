import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

const GROUPS_OF_A_CUSTOMER = 4;

/** The address that limits count by: IPv6 customers have a /64 network, which counts as one. */
export const placeOf = (ip: string): string => {
  if (!isIPv6(ip)) return ip;
  const address = ipaddr.IPv6.parse(ip);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.parts.slice(0, GROUPS_OF_A_CUSTOMER).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
};
