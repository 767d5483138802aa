import { describe, expect, test } from "vitest";
import type { AddressPolicy } from "../../../src/platform/attempt.js";
import { classOf } from "../../../src/platform/outbound/address-class.js";
import { isReachedByAll, refuseAddress, resolveGuarded } from "../../../src/platform/outbound/address-guard.js";
import { onlyPublic, withLoopback } from "./receiver.js";

const httpsOnly: AddressPolicy = { allowedNetworks: [], allowLoopback: false, allowHttp: false };
const allowing = (...allowedNetworks: string[]): AddressPolicy => ({ ...httpsOnly, allowedNetworks });
const everything = allowing("0.0.0.0/0", "::/0");

const reached = (address: string, policy: AddressPolicy, protocol = "https:"): boolean =>
  refuseAddress(address, protocol, policy) === null;

/** As a connection is asked for it. */
const hostIn = (text: string): string => new URL(`https://${text}/`).hostname.replace(/^\[|\]$/g, "");

test.each([
  ["1.1.1.1", httpsOnly, true],
  ["10.0.0.1", everything, false],
  ["127.0.0.1", everything, false],
  ["::1", withLoopback, true],
  ["::ffff:10.0.0.1", everything, false],
  ["169.254.169.254", everything, false],
] as const)("whether %s is reached without an allowed network", (address, policy, expected) => {
  expect(isReachedByAll(address, policy)).toBe(expected);
});

describe("classes of addresses (G33)", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700::1111",
    "2001:4860:4860::8888",
    "2a00:1450::1",
  ])("%s is public", (address) => {
    expect(classOf(address)).toBe("public");
    expect(reached(address, httpsOnly)).toBe(true);
  });

  test.each([
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "240.0.0.1",
    "fc00::1",
    "fd12:3456::1",
    "fec0::1",
    "100::1",
    "2001:db8::1",
    "3fff::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "5f00::1",
    "4000::1",
    "e000::1",
  ])("%s is reached only where its network is named", (address) => {
    expect(classOf(address)).toBe("closed");
    expect(reached(address, withLoopback)).toBe(false);
    expect(reached(address, everything)).toBe(true);
  });

  test.each([
    "0.0.0.0",
    "0.1.2.3",
    "::",
    "169.254.169.254",
    "169.254.0.1",
    "fe80::1",
    "febf::1",
    "fe80::1%eth0",
    "224.0.0.1",
    "239.255.255.255",
    "ff02::1",
    "255.255.255.255",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0.0.0.0",
    "::ffff:a9fe:a9fe",
    "::ffff:0:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "2001:0:808:808::1",
    "::8.8.8.8",
    "::127.0.0.1",
    "::2",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd20:ce::254",
    "",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "1.2.3.4.5",
    "1.1.1.1 ",
  ])("%s is never reached, whatever is allowed", (address) => {
    expect(classOf(address)).toBe("never");
    expect(reached(address, { ...everything, allowLoopback: true, allowHttp: true })).toBe(false);
  });

  test.each(["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7f00:1"])(
    "%s is loopback: reached only where the service listens on loopback",
    (address) => {
      expect(classOf(address)).toBe("loopback");
      expect(reached(address, onlyPublic)).toBe(false);
      expect(reached(address, withLoopback)).toBe(true);
    },
  );

  test("an allowed network permits its own addresses and no others", () => {
    expect(reached("10.1.255.255", allowing("10.1.0.0/16"))).toBe(true);
    expect(reached("10.2.0.0", allowing("10.1.0.0/16"))).toBe(false);
    expect(reached("fd12::1", allowing("10.0.0.0/8", "fd12::/16"))).toBe(true);
    expect(reached("::ffff:10.1.0.1", allowing("10.0.0.0/8"))).toBe(false);
  });
});

describe("http (G33)", () => {
  test("to a public address needs the switch", () => {
    expect(refuseAddress("1.1.1.1", "http:", httpsOnly)?.code).toBe("https_required");
    expect(reached("1.1.1.1", onlyPublic, "http:")).toBe(true);
  });

  test("is allowed to named networks and to loopback", () => {
    expect(reached("10.0.0.1", allowing("10.0.0.0/8"), "http:")).toBe(true);
    expect(reached("127.0.0.1", { ...httpsOnly, allowLoopback: true }, "http:")).toBe(true);
    expect(refuseAddress("1.1.1.1", "http:", allowing("10.0.0.0/8"))?.code).toBe("https_required");
  });
});

describe("a host given as an address", () => {
  test.each([
    "127.0.0.1",
    "127.1",
    "0",
    "0.0.0.0",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "0x7f000001",
    "127。0。0。1",
    "１２７.0.0.1",
    "127.0.0.1.",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "169.254.169.254",
    "2852039166",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "168.63.129.16",
    "10.0.0.1",
    "[fe80::1]",
  ])("%s is refused before anything is sent (L7, L8)", (host) => {
    expect(refuseAddress(hostIn(host), "https:", httpsOnly)?.code).toBe("blocked_address");
  });

  test("that is public is not refused", () => {
    expect(refuseAddress(hostIn("1.1.1.1"), "https:", httpsOnly)).toBeNull();
    expect(refuseAddress(hostIn("[2606:4700::1111]"), "https:", httpsOnly)).toBeNull();
  });
});

const resolving = async (...addresses: string[]) =>
  resolveGuarded("receiver.test", "https:", {
    policy: httpsOnly,
    resolve: async () => addresses.map((address) => ({ address })),
  });

describe("a name", () => {
  test("gives all of its addresses with their family", async () => {
    expect(await resolving("1.1.1.1", "2606:4700::1111")).toEqual([
      { address: "1.1.1.1", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
  });

  test.each(["10.0.0.1", "127.0.0.1", "fe80::1%eth0", "::ffff:1.1.1.1", "nonsense"])(
    "with one public address and %s beside it is refused",
    async (bad) => {
      await expect(resolving("1.1.1.1", bad)).rejects.toMatchObject({ code: "blocked_address", address: bad });
      await expect(resolving(bad, "1.1.1.1")).rejects.toMatchObject({ code: "blocked_address", address: bad });
    },
  );

  test("without an address is an error of DNS", async () => {
    await expect(resolving()).rejects.toMatchObject({ code: "ENOTFOUND" });
  });
});
