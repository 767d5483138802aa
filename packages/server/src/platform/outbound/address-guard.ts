import { isIP } from "node:net";
import type { AddressPolicy } from "../attempt.js";
import { classOf, isInNetworks } from "./address-class.js";

export type Resolve = (hostname: string) => Promise<readonly { readonly address: string }[]>;

/** Final check of addresses that passed the guard: why one is not dialled now. */
export type Admit = (addresses: readonly string[]) => BlockedAddress | null;

/** Why an address is not dialled; `code` is stored with the attempt. */
export class BlockedAddress extends Error {
  constructor(
    readonly code: "blocked_address" | "https_required" | "dialled_too_often",
    readonly address: string,
  ) {
    super(`${address}: ${code}`);
  }
}

/** Allows public addresses over https; networks the operator allowed and, if enabled, loopback over http too (G33). */
export const refuseAddress = (address: string, protocol: string, policy: AddressPolicy): BlockedAddress | null => {
  const kind = classOf(address);
  if (kind === "never") return new BlockedAddress("blocked_address", address);
  if (kind === "loopback" && policy.allowLoopback) return null;
  // IPv4-mapped loopback is IPv6, so no IPv4 network that the operator allows contains it.
  if (isInNetworks(address, policy.allowedNetworks)) return null;
  if (kind !== "public") return new BlockedAddress("blocked_address", address);
  return protocol === "https:" || policy.allowHttp ? null : new BlockedAddress("https_required", address);
};

/** Whether an address may be reached even if the operator allows no network. */
export const isReachedByAll = (address: string, { allowLoopback }: AddressPolicy): boolean => {
  const kind = classOf(address);
  return kind === "public" || (kind === "loopback" && allowLoopback);
};

/** Resolves a name to all its addresses; throws if one is not allowed, since any of them may be dialled. */
export const resolveGuarded = async (
  hostname: string,
  protocol: string,
  { policy, resolve, admit }: { policy: AddressPolicy; resolve: Resolve; admit?: Admit | undefined },
): Promise<Array<{ readonly address: string; readonly family: 4 | 6 }>> => {
  const found = await resolve(hostname);
  if (found.length === 0) throw Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" });
  for (const { address } of found) {
    const blocked = refuseAddress(address, protocol, policy);
    if (blocked !== null) throw blocked;
  }
  const notNow = admit?.(found.map(({ address }) => address)) ?? null;
  if (notNow !== null) throw notNow;
  return found.map(({ address }) => ({ address, family: isIP(address) === 4 ? 4 : 6 }));
};
