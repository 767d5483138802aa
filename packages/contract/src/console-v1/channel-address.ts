import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/channel-address.js";
import { ofOwnAccount } from "./own.js";

/** Addresses of the caller's own account. */
export const createOwnChannelAddress = endpoint({
  ...ofOwnAccount(operator.createChannelAddress),
  id: "createOwnChannelAddress",
  path: "/channel-addresses",
});
export const listOwnChannelAddresses = endpoint({
  ...ofOwnAccount(operator.listChannelAddresses),
  id: "listOwnChannelAddresses",
  path: "/channel-addresses",
});
export const testOwnChannelAddress = endpoint({ ...operator.testChannelAddress, id: "testOwnChannelAddress" });
export const deleteOwnChannelAddress = endpoint({ ...operator.deleteChannelAddress, id: "deleteOwnChannelAddress" });
