import { changesNothing } from "../../platform/changes-nothing.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import { isAdmin, isParticipantRole, MAX_USERS, maySwitch, newUser, type User } from "../domain/user.js";
import type { AccessStores } from "./access-stores.js";
import type { Manager } from "./caller.js";
import { type Invited, invitationOf } from "./invite-users.js";
import { endAccess } from "./manage-sessions.js";
import type { UserPorts } from "./sign-in-ports.js";

export type NewUser = Pick<User, "email" | "name" | "role" | "accountId">;

/** Creates a user, who can sign in after setting a password through the one-time link. */
export const createUser = ({ transact, clock, newId, tokens }: UserPorts, { actor, within }: Manager, input: NewUser) =>
  transact(async (stores): Promise<Result<{ user: User; invited: Invited }>> => {
    if (isParticipantRole(input.role) !== (input.accountId !== null)) {
      return invalid(
        "account_id is required for participant-admin and participant-viewer, and not allowed for other roles",
      );
    }
    const fault = await newUserFault(stores, input, within);
    if (fault !== null) return fault;
    const at = clock.now();
    const user = newUser(input, { id: newId("usr"), at });
    if (!(await stores.users.insert(user))) return invitedAlready;
    const invited = await invitationOf(stores, { tokens, userId: user.id, at });
    await stores.audit.append({ actor, at }, "user.create", user, { after: user });
    return { user, invited };
  });

const newUserFault = async (
  stores: AccessStores,
  { accountId, email }: NewUser,
  within: string | null,
): Promise<Refusal | null> => {
  // Operators see all users. A participant's administrator must not learn about users of other accounts.
  if (within === null && (await stores.users.findByEmail(email)) !== null) return emailTaken;
  if (accountId === null) return null;
  const isVisible = within === null || within === accountId;
  // The lock serialises counting and adding.
  if (!isVisible || (await stores.accounts.lock(accountId)) === null)
    return invalid("account_id does not exist; check the id");
  return (await stores.users.count(accountId)) < MAX_USERS ? null : atLimit;
};

const atLimit = invalid(
  `the account already has ${MAX_USERS} users, the maximum; ask the operator to delete one first`,
);
const emailTaken = invalid("email already belongs to another user; choose another one");
const invitedAlready = invalid("there is already a user with this email; create a new invitation link for that user");

export const changeUser = (
  { transact, clock }: Ports<AccessStores>,
  manager: Manager,
  id: string,
  change: Partial<Pick<User, "name" | "email" | "role" | "disabled">>,
) =>
  transact(async (stores): Promise<Result<User>> => {
    const found = await lockedUser(stores, manager, id);
    if (found === null || changesNothing(found.user, change)) return found?.user ?? notFound("user");
    const before = found.user;
    const after = { ...before, ...change };
    const at = clock.now();
    const fault = changeFault(manager, { before, after, isLastAdmin: found.isLastAdmin });
    if (fault !== null) return invalid(fault);
    if (!(await stores.users.save(after))) return emailTaken;
    if (after.disabled) await endAccess(stores, id, { at, reason: "signed_out_by_administrator" });
    // Links were sent to the previous address.
    if (after.email !== before.email) await stores.invitations.useAll(id, at);
    await stores.audit.append({ actor: manager.actor, at }, "user.change", after, { before, after });
    return after;
  });

/** A user, and whether it is the last administrator of its side; all of them stay locked, so the answer stays true. */
const lockedUser = async (
  stores: AccessStores,
  { within }: Manager,
  id: string,
): Promise<{ user: User; isLastAdmin: boolean } | null> => {
  const found = await stores.users.find(id, within);
  if (found === null) return null;
  // First and in a fixed order: of two administrators who disable each other, the second waits here and stays.
  const admins = await stores.users.lockAdmins(found.accountId);
  const user = (await stores.users.lock(id, within))?.user;
  return user === undefined ? null : { user, isLastAdmin: admins.length === 1 && admins[0] === id };
};

interface Changed {
  readonly before: User;
  readonly after: User;
  readonly isLastAdmin: boolean;
}

const changeFault = (manager: Manager, { before, after, isLastAdmin }: Changed): string | null => {
  if (!maySwitch(before.role, after.role)) {
    return "role does not fit: an operator cannot become a participant, or the reverse; create another user";
  }
  const isRemoved = before.role !== after.role || after.disabled;
  // Otherwise nobody might be left to undo it.
  if (isRemoved && manager.actor === `user:${before.id}`)
    return "you cannot disable yourself or change your own role; ask another administrator";
  const staysAdmin = isAdmin(after.role) && !after.disabled;
  return isLastAdmin && !staysAdmin && !mayRemoveLast(manager, before) ? lastAdmin : null;
};

/** The operator token can always create another operator, and operators can create users of an account. */
const mayRemoveLast = ({ actor, within }: Manager, { accountId }: User): boolean =>
  actor === "operator" || (within === null && accountId !== null);

const lastAdmin = "this is the last administrator; make another user an administrator first";

/** Deletes a user for good; the audit log keeps the name. */
export const deleteUser = ({ transact, clock }: Ports<AccessStores>, manager: Manager, id: string) =>
  transact(async (stores): Promise<Result<User>> => {
    const found = await lockedUser(stores, manager, id);
    if (found === null) return notFound("user");
    const { user, isLastAdmin } = found;
    if (manager.actor === `user:${id}`) return invalid("you cannot delete yourself; ask another administrator");
    if (isLastAdmin && !mayRemoveLast(manager, user)) return invalid(lastAdmin);
    const at = clock.now();
    await stores.users.remove(id, at);
    await stores.recoveryCodes.replace(id, []);
    await endAccess(stores, id, { at, reason: "signed_out_by_administrator" });
    await stores.audit.append({ actor: manager.actor, at }, "user.delete", user, { before: user });
    return user;
  });
