/** Channels are a list of the contract; each layer takes their names from here. */
export type { AddressedChannel, PreviewChannel, ReachChannel } from "@curtail/contract/lists/channels";
export { addressedChannels, formsOf } from "@curtail/contract/lists/channels";
