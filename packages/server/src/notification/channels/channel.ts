import type { AddressTarget, Said } from "../domain/channel-address.js";

/** One request that says something at an address. */
export interface AddressedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a channel whose messages go to addresses says something there. */
export interface Channel {
  readonly requestOf: (said: Said, target: AddressTarget) => AddressedRequest;
}
