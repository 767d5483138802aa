import { changesNothing } from "../../platform/changes-nothing.js";
import type { NewId } from "../../platform/clock.js";
import { nearName, refuseNear, withoutOwn } from "../../platform/near-match.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import { type Account, type Actor, type Contact, e164, MAX_CONTACTS, MAX_OWN_CONTACTS } from "../domain/account.js";
import type { AccessStores, Act } from "./access-stores.js";
import type { Manager } from "./caller.js";
import { refuseWhileRunning } from "./running-dispatches.js";

/** Including what disabling or enabling an account changes in other modules. */
export type AccountStores = AccessStores & {
  readonly venNotices: { record(now: Date): Promise<boolean> };
  readonly deliveries: { dropOfAccount(accountId: string, at: Date): Promise<void> };
};

export type NewAccount = Pick<Account, "name" | "disabled"> & Partial<Pick<Account, "language">>;

/** While there is a demo, every account is its own: the service creates those. */
const refuseBesideDemo = async (
  { accounts }: Pick<AccessStores, "accounts">,
  actor: Actor,
): Promise<Refusal | null> => {
  if (actor === "service" || !(await accounts.hasDemo())) return null;
  return invalid("The demo is on: remove it before you add accounts of your own.");
};

/** @param isNearConfirmed whether an account with almost the same name as another one is meant */
export const createAccount = (
  { transact, clock, newId }: Ports<AccessStores>,
  actor: Actor,
  input: NewAccount,
  isNearConfirmed: boolean,
) =>
  transact(async (stores): Promise<Result<Account>> => {
    const near = isNearConfirmed ? null : nearName(input.name, await stores.accounts.names());
    const refusal = (await refuseBesideDemo(stores, actor)) ?? refuseNear("create this account", near, isNearConfirmed);
    if (refusal !== null) return refusal;
    const account = madeAccount(input, newId, clock.now());
    await addAccounts(stores, { actor, at: account.createdAt }, [account]);
    return account;
  });

/** Creates several; near matches of their names are confirmed. */
export const createAccounts = (
  { transact, clock, newId }: Ports<AccessStores>,
  actor: Actor,
  inputs: readonly NewAccount[],
) =>
  transact(async (stores): Promise<Result<readonly Account[]>> => {
    if (inputs.length === 0) return [];
    const refusal = await refuseBesideDemo(stores, actor);
    if (refusal !== null) return refusal;
    const at = clock.now();
    const accounts = inputs.map((input) => madeAccount(input, newId, at));
    await addAccounts(stores, { actor, at }, accounts);
    return accounts;
  });

const madeAccount = (input: NewAccount, newId: NewId, createdAt: Date): Account => ({
  id: newId("acc"),
  language: null,
  ...input,
  isSimulated: false,
  createdAt,
});

const addAccounts = async ({ accounts, audit }: AccessStores, act: Act, added: readonly Account[]): Promise<void> => {
  await accounts.insert(added);
  await audit.appendAll(
    act,
    added.map((account) => ({ action: "account.create", subject: subjectOf(account), change: { after: account } })),
  );
};

/** What a caller of a change knows about. */
interface ChangeConfirmations {
  /** Another account has almost the same name. */
  readonly isNearConfirmed: boolean;
  /** A dispatch of the account is in progress while it is disabled. */
  readonly isRunningConfirmed: boolean;
}

export const changeAccount = (
  { transact, clock }: Ports<AccountStores>,
  actor: Actor,
  id: string,
  change: Partial<NewAccount>,
  { isNearConfirmed, isRunningConfirmed }: ChangeConfirmations,
) =>
  transact(async (stores): Promise<Result<Account>> => {
    const before = await stores.accounts.lock(id);
    if (before === null || changesNothing(before, change)) return before ?? notFound("account");
    const at = clock.now();
    const after = { ...before, ...change };
    if (after.name !== before.name && !isNearConfirmed) {
      const near = nearName(after.name, withoutOwn(await stores.accounts.names(), before.name));
      const asked = refuseNear("change this account", near, isNearConfirmed);
      if (asked !== null) return asked;
    }
    if (after.disabled && !before.disabled) {
      const running = await stores.running.ofAccount(id, at);
      const refusal = refuseWhileRunning({ what: "disable the account", running, isConfirmed: isRunningConfirmed });
      if (refusal !== null) return refusal;
    }
    // Notices that are due were for the account as it was.
    if (after.disabled !== before.disabled) await stores.venNotices.record(at);
    await stores.accounts.save(after);
    // G50: pending notices are not sent any more. The mail worker drops its emails.
    if (after.disabled) await stores.deliveries.dropOfAccount(id, at);
    await stores.audit.append({ actor, at }, "account.change", subjectOf(after), { before, after });
    return after;
  });

export type NewContact = Pick<Contact, "accountId" | "name" | "email" | "phone" | "sms" | "voice" | "language">;

export const addContact = (
  { transact, clock, newId }: Ports<AccessStores>,
  { actor, within }: Manager,
  input: NewContact,
) =>
  transact(async (stores): Promise<Result<Contact>> => {
    const refusal = refusePhone(input) ?? (await refuseContact(stores, within, input.accountId));
    if (refusal !== null) return refusal;
    const at = clock.now();
    const contact: Contact = { id: newId("con"), ...input, createdAt: at };
    await stores.contacts.insert(contact);
    await stores.audit.append({ actor, at }, "contact.create", contact, { after: contact });
    return contact;
  });

const refusePhone = ({ phone, sms, voice }: NewContact): Refusal | null => {
  if (!(sms || voice) || (phone !== null && e164(phone) !== null)) return null;
  return invalid("phone must be an international number such as +1 555 010 0200 to get SMS or calls");
};

const refuseContact = async (
  stores: AccessStores,
  within: string | null,
  accountId: string,
): Promise<Refusal | null> => {
  if (within !== null && within !== accountId) return notFound("account");
  // The lock serialises counting and adding.
  if ((await stores.accounts.lock(accountId)) === null) return notFound("account");
  const most = within === null ? MAX_CONTACTS : MAX_OWN_CONTACTS;
  const { items } = await stores.contacts.list(accountId, { after: null, limit: most });
  if (items.length < most) return null;
  return invalid(`the account already has ${most} contacts, the maximum; remove one first`);
};

export const removeContact = ({ transact, clock }: Ports<AccessStores>, { actor, within }: Manager, id: string) =>
  transact(async (stores): Promise<Result<Contact>> => {
    const contact = await stores.contacts.remove(id, within);
    if (contact === null) return notFound("contact");
    await stores.audit.append({ actor, at: clock.now() }, "contact.delete", contact, { before: contact });
    return contact;
  });

const subjectOf = (account: Account) => ({ id: account.id, accountId: account.id });
