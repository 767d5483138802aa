import { expect, test } from "vitest";
import { linkOf, linksOf } from "../../../src/platform/mdns/links.js";

const ipv4 = (address: string, bits: number, internal = false) => ({
  address,
  netmask: "",
  mac: "",
  internal,
  family: "IPv4" as const,
  cidr: `${address}/${bits}`,
});
const ipv6 = (address: string, internal = false) => ({
  address,
  netmask: "",
  mac: "",
  internal,
  family: "IPv6" as const,
  cidr: `${address}/64`,
  scopeid: 0,
});

const interfaces = {
  lo: [ipv4("127.0.0.1", 8, true), ipv6("::1", true)],
  eth0: [ipv4("192.0.2.7", 24), ipv6("2001:db8::7"), ipv6("fe80::7")],
  eth1: [ipv4("198.51.100.7", 25)],
  six: [ipv6("2001:db8:1::7")],
};

test.each([
  ["::", ["192.0.2.7", "2001:db8::7"]],
  ["0.0.0.0", ["192.0.2.7"]],
])(
  "a listener on %s is announced on every network outside the machine, with the addresses that it has there",
  (host, addresses) => {
    expect(linksOf(host, interfaces)).toEqual([
      { address: "192.0.2.7", cidr: "192.0.2.7/24", addresses },
      { address: "198.51.100.7", cidr: "198.51.100.7/25", addresses: ["198.51.100.7"] },
    ]);
  },
);

test("a listener on one address is announced on its network alone", () => {
  expect(linksOf("198.51.100.7", interfaces).map(({ addresses }) => addresses)).toEqual([["198.51.100.7"]]);
  expect(linksOf("127.0.0.1", interfaces).map(({ addresses }) => addresses)).toEqual([["127.0.0.1"]]);
  expect(linksOf("203.0.113.9", interfaces)).toEqual([]);
});

test("who asks from another network is on no link", () => {
  const links = linksOf("0.0.0.0", interfaces);
  expect(linkOf("198.51.100.100", links)?.address).toBe("198.51.100.7");
  for (const address of ["198.51.100.200", "203.0.113.9", "127.0.0.1"]) expect(linkOf(address, links)).toBeNull();
});
