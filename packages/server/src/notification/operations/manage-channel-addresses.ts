import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Manager } from "../../access/operations/caller.js";
import type { AddressPolicy, SentAttempt } from "../../platform/attempt.js";
import type { AddressedChannel } from "../../platform/channel.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import { type AddressTarget, auditedAddress, type ChannelAddress, formFor, hintOf } from "../domain/channel-address.js";
import { checkWebhookUrl } from "../domain/webhook.js";
import { type MessageTests, refuseOften } from "./message-tests.js";

export interface ChannelAddressStore {
  insert(address: ChannelAddress, secret: string): Promise<void>;
  list(accountId: string, page: PageRequest): Promise<Page<ChannelAddress>>;
  /** `within` limits it to an account, as in the next method; null: any. Does not find removed ones. */
  findWithSecret(id: string, within: string | null): Promise<(ChannelAddress & AddressTarget) | null>;
  /** Its receiver took a test message. */
  noteSuccess(id: string, at: Date): Promise<void>;
  /** Forgets the address itself, and drops what waits for it; null if there is none. */
  remove(id: string, within: string | null, at: Date): Promise<ChannelAddress | null>;
}

type AddressStores = Pick<AccessStores, "accounts" | "audit"> & { readonly channelAddresses: ChannelAddressStore };

/** An address to send a test message to. */
export interface TestedAddress extends AddressTarget, Pick<ChannelAddress, "accountId" | "channel"> {
  readonly accountName: string;
  readonly accountLanguage: string | null;
}

/** Sends a test message, unless too many are being sent; never throws for failures of the network or the receiver. */
export type TestAddress = (address: TestedAddress) => Promise<Result<SentAttempt>>;

export interface ChannelAddressPorts extends Ports<AddressStores> {
  readonly policy: AddressPolicy;
  readonly testAddress: TestAddress;
  readonly messageTests: MessageTests;
}

export interface NewAddress {
  readonly accountId: string;
  readonly channel: AddressedChannel;
  readonly name: string;
  readonly address: string;
  readonly form: string | undefined;
}

/** As in the contract. */
const MAX_ADDRESSES = 20;

/** Adds an address once its receiver took a test message. */
export const addChannelAddress = async (
  ports: ChannelAddressPorts,
  { actor, within }: Manager,
  input: NewAddress,
): Promise<Result<ChannelAddress>> => {
  const { stores, transact, clock } = ports;
  const { accountId, address } = input;
  const draft = draftAddress(ports, input);
  if (isRefusal(draft)) return draft;
  const account = within !== null && within !== accountId ? null : await stores.accounts.find(accountId);
  if (account === null) return notFound("account");
  const full = await refuseMore(stores, accountId);
  if (full !== null) return full;
  const sent = await ports.testAddress({
    ...draft,
    address,
    accountName: account.name,
    accountLanguage: account.language,
  });
  if (isRefusal(sent)) return sent;
  if (!sent.ok)
    return invalid(`the test message to the address failed (${sent.error}); check it. Nothing was created.`);
  return transact(async (inside) => {
    // The lock serialises counting and adding.
    await inside.accounts.lock(accountId);
    const refusal = await refuseMore(inside, accountId);
    if (refusal !== null) return refusal;
    const at = clock.now();
    const added = { ...draft, createdAt: at, lastSuccessAt: at };
    await inside.channelAddresses.insert(added, address);
    await inside.audit.append({ actor, at }, "channel_address.create", added, { after: auditedAddress(added) });
    return added;
  });
};

const draftAddress = (
  { policy, clock, newId }: ChannelAddressPorts,
  { accountId, channel, name, address, form: given }: NewAddress,
): ChannelAddress | Refusal => {
  const url = checkWebhookUrl(address, policy, "address");
  if (isRefusal(url)) return url;
  const form = formFor(channel, given);
  if (isRefusal(form)) return form;
  const createdAt = clock.now();
  const history = { lastSuccessAt: createdAt, lastError: null };
  return { id: newId("adr"), accountId, channel, name, form, hint: hintOf(url), createdAt, ...history };
};

const refuseMore = async ({ channelAddresses }: AddressStores, accountId: string): Promise<Refusal | null> => {
  const { items } = await channelAddresses.list(accountId, { after: null, limit: MAX_ADDRESSES });
  if (items.length < MAX_ADDRESSES) return null;
  return invalid(`the account already has ${MAX_ADDRESSES} addresses, the maximum; remove one first`);
};

/** Sends a test message now and returns what came of it. */
export const testChannelAddress = async (
  { stores, testAddress, messageTests, clock }: Omit<ChannelAddressPorts, "transact">,
  { within }: Manager,
  id: string,
): Promise<Result<SentAttempt>> => {
  const address = await stores.channelAddresses.findWithSecret(id, within);
  if (address === null) return notFound("channel address");
  const often = refuseOften(messageTests, id, clock.now());
  if (often !== null) return often;
  const account = await stores.accounts.find(address.accountId);
  const sent = await testAddress({
    ...address,
    accountName: account?.name ?? "",
    accountLanguage: account?.language ?? null,
  });
  if (!isRefusal(sent) && sent.ok) await stores.channelAddresses.noteSuccess(id, clock.now());
  return sent;
};

export const removeChannelAddress = (
  { transact, clock }: Ports<AddressStores>,
  { actor, within }: Manager,
  id: string,
) =>
  transact(async (stores): Promise<Result<ChannelAddress>> => {
    const at = clock.now();
    const address = await stores.channelAddresses.remove(id, within, at);
    if (address === null) return notFound("channel address");
    await stores.audit.append({ actor, at }, "channel_address.delete", address, { before: auditedAddress(address) });
    return address;
  });
