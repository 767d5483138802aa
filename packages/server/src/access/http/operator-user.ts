import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Within } from "../../platform/answer-once.js";
import { serve } from "../../platform/http/endpoint.js";
import { given } from "../../platform/http/given.js";
import { listed } from "../../platform/http/page.js";
import type { PublicAddress } from "../../platform/http/public-url.js";
import { type OncePorts, serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal, notFound } from "../../platform/refusal.js";
import { managerOf } from "../caller/actor.js";
import type { User } from "../domain/user.js";
import type { AccessStores } from "../operations/access-stores.js";
import { inviteUser } from "../operations/invite-users.js";
import { signOutEverywhere } from "../operations/manage-sessions.js";
import { changeUser, createUser, deleteUser } from "../operations/manage-users.js";
import type { UserPorts } from "../operations/sign-in-ports.js";
import { invitationToWire, userToWire } from "./wire-user.js";

interface UserAddresses extends PublicAddress {
  /** The same for operators; differs if they have their own port. */
  readonly operatorUrl: string;
}

export type UserRoutePorts = UserPorts & OncePorts<Within<AccessStores>> & UserAddresses;

export const userRoutes = (app: FastifyInstance, ports: UserRoutePorts): void => {
  const { users } = ports.stores;
  serveOnce(app, operator.createUser, ports, async ({ body, request }, ports) => {
    const { email, name, role, account_id: accountId = null } = body;
    const created = await createUser(ports, managerOf(request), { email, name, role, accountId });
    if (isRefusal(created)) return created;
    return { ...userToWire(created.user), ...invitationToWire(created.invited, addressFor(created.user, ports)) };
  });
  serve(app, operator.listUsers, ({ query }) => listed(query, (page) => users.list(null, page), userToWire));
  serve(app, operator.getUser, async ({ params }) => {
    const user = await users.find(params.id, null);
    return user === null ? notFound("user") : userToWire(user);
  });
  serve(app, operator.changeUser, async ({ params, body, request }) => {
    const change = given({ name: body.name, email: body.email, role: body.role, disabled: body.disabled });
    const user = await changeUser(ports, managerOf(request), params.id, change);
    return isRefusal(user) ? user : userToWire(user);
  });
  serveOnce(app, operator.inviteUser, ports, async ({ params, request }, ports) => {
    const again = await inviteUser(ports, managerOf(request), params.id);
    return isRefusal(again) ? again : invitationToWire(again.invited, addressFor(again.user, ports));
  });
  serveOnce(app, operator.signOutUser, ports, async ({ params, request }, ports) => {
    const user = await signOutEverywhere(ports, managerOf(request), params.id);
    return isRefusal(user) ? user : undefined;
  });
  serve(app, operator.deleteUser, async ({ params, request }) => {
    const user = await deleteUser(ports, managerOf(request), params.id);
    return isRefusal(user) ? user : undefined;
  });
};

/** Where a user signs in: operators' pages may be on their own port. */
const addressFor = ({ accountId }: User, { publicUrl, operatorUrl }: UserAddresses): string =>
  accountId === null ? operatorUrl : publicUrl;
