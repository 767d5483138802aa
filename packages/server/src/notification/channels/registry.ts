import type { AddressedChannel } from "../../platform/channel.js";
import type { Channel } from "./channel.js";
import { chat } from "./chat/chat.js";

/** Behaviour of the channels whose messages go to addresses; `contract/src/lists/channels.ts` has their words. */
export const registry = { chat } as const satisfies Readonly<Record<AddressedChannel, Channel>>;
