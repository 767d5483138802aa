import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Within } from "../../platform/answer-once.js";
import { serve } from "../../platform/http/endpoint.js";
import { given } from "../../platform/http/given.js";
import { listed } from "../../platform/http/page.js";
import type { PublicAddress } from "../../platform/http/public-url.js";
import { type OncePorts, serveOnce } from "../../platform/http/serve-once.js";
import { done, isRefusal, mapResult, notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { managerOf } from "../caller/actor.js";
import { personOf } from "../caller/person.js";
import type { User } from "../domain/user.js";
import type { AccessStores } from "../operations/access-stores.js";
import { type Invited, inviteUser } from "../operations/invite-users.js";
import { signOutEverywhere } from "../operations/manage-sessions.js";
import { changeUser, createUser, deleteUser } from "../operations/manage-users.js";
import type { UserPorts } from "../operations/sign-in-ports.js";

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
    return isRefusal(created) ? created : { ...userToWire(created.user), ...invitationToWire(created, ports) };
  });
  serve(app, operator.listUsers, ({ query }) => listed(query, (page) => users.list(null, page), userToWire));
  serve(app, operator.getUser, async ({ params }) => {
    const user = await users.find(params.id, null);
    return user === null ? notFound("user") : userToWire(user);
  });
  serve(app, operator.changeUser, async ({ params, body, request }) => {
    const change = given({ name: body.name, email: body.email, role: body.role, disabled: body.disabled });
    return mapResult(changeUser(ports, managerOf(request), params.id, change), userToWire);
  });
  serveOnce(app, operator.inviteUser, ports, ({ params, request }, ports) =>
    mapResult(inviteUser(ports, managerOf(request), params.id), (again) => invitationToWire(again, ports)),
  );
  serveOnce(app, operator.signOutUser, ports, ({ params, request }, ports) =>
    done(signOutEverywhere(ports, managerOf(request), params.id)),
  );
  serve(app, operator.deleteUser, ({ params, request }) => done(deleteUser(ports, managerOf(request), params.id)));
};

/** Users of the caller's own account. */
export const ownUserRoutes = (app: FastifyInstance, ports: UserRoutePorts): void => {
  serveOnce(app, participantConsole.createOwnUser, ports, async ({ body, request }, ports) => {
    const { email, name, role } = body;
    const person = personOf(request);
    const created = await createUser(ports, person, { email, name, role, accountId: person.within });
    return isRefusal(created) ? created : { ...userToWire(created.user), ...invitationToWire(created, ports) };
  });
  serve(app, participantConsole.listOwnUsers, ({ query, request }) =>
    listed(query, (page) => ports.stores.users.list(personOf(request).within, page), userToWire),
  );
  serve(app, participantConsole.changeOwnUser, async ({ params, body, request }) => {
    const change = given({ name: body.name, role: body.role, disabled: body.disabled });
    return mapResult(changeUser(ports, personOf(request), params.id, change), userToWire);
  });
  serveOnce(app, participantConsole.inviteOwnUser, ports, ({ params, request }, ports) =>
    mapResult(inviteUser(ports, personOf(request), params.id), (again) => invitationToWire(again, ports)),
  );
  serveOnce(app, participantConsole.signOutOwnUser, ports, ({ params, request }, ports) =>
    done(signOutEverywhere(ports, personOf(request), params.id)),
  );
};

export const userToWire = (user: User): operator.User => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  account_id: user.accountId,
  has_password: user.hasPassword,
  has_totp: user.hasTotp,
  disabled: user.disabled,
  created_at: formatTimestamp(user.createdAt),
});

/** Where a user signs in: operators' pages may be on their own port. */
const invitationToWire = (
  { user, invited: { token, expiresAt } }: { readonly user: User; readonly invited: Invited },
  { publicUrl, operatorUrl }: UserAddresses,
) => ({
  invitation_url: `${user.accountId === null ? operatorUrl : publicUrl}/invitation/${token}`,
  invitation_expires_at: formatTimestamp(expiresAt),
});
