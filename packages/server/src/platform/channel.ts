/** Channels are a list of the contract; each layer takes their names from here. */
export type { PreviewChannel, ReachChannel } from "@curtail/contract/lists/channels";
