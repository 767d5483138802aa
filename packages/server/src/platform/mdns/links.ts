import type { NetworkInterfaceInfo } from "node:os";
import ipaddr from "ipaddr.js";

/** A network that this machine is part of, by one of its IPv4 addresses. */
export interface Link {
  readonly address: string;
  /** `192.0.2.2/24`. */
  readonly cidr: string;
  /** Addresses of the machine there that others reach it at. */
  readonly addresses: readonly string[];
}

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * The links on which a listener of this address can be reached: all but those inside the machine if it is 0.0.0.0, which
 * listens on IPv4 alone, or ::, which listens on both.
 */
export const linksOf = (host: string, interfaces: Interfaces): readonly Link[] => {
  const isEvery = host === "0.0.0.0" || host === "::";
  return Object.values(interfaces).flatMap((all = []) => {
    const reached = all.filter(({ address, internal, family }) =>
      isEvery ? !internal && (host === "::" || family === "IPv4") : address === nameless(host),
    );
    const first = all.find(({ family, address }) => family === "IPv4" && (isEvery || address === nameless(host)));
    if (first === undefined || first.cidr === null || reached.length === 0) return [];
    const addresses = reached.map(({ address }) => address).filter((address) => !isLinkLocal(address));
    return [{ address: first.address, cidr: first.cidr, addresses }];
  });
};

const nameless = (host: string): string => (host === "localhost" ? "127.0.0.1" : host);

/** Without the number of its interface, it leads nowhere. */
const isLinkLocal = (address: string): boolean => address.toLowerCase().startsWith("fe80:");

/** The link that an address is on; null: it is none of these networks. */
export const linkOf = (address: string, links: readonly Link[]): Link | null =>
  links.find(({ cidr }) => {
    const [asked, network] = [ipaddr.parse(address), ipaddr.parseCIDR(cidr)];
    return asked.kind() === network[0].kind() && asked.match(network);
  }) ?? null;
