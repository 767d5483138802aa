import { participantConsole } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isRefusal } from "../../domain/refusal.js";
import { changeUser, createUser, inviteUser, type Manager, type UserPorts } from "../../operations/manage-users.js";
import { callerOf } from "../caller.js";
import { serve } from "../endpoint.js";
import { given } from "../given.js";
import { listed } from "../page.js";
import { invitationToWire, userToWire } from "../wire/user.js";

export type ConsoleUserPorts = UserPorts & { readonly publicUrl: string };

const managerOf = (request: FastifyRequest): Manager => {
  const { actor, accountId } = callerOf(request);
  return { actor, within: accountId };
};

/** Users of the caller's own account. */
export const ownUserRoutes = (app: FastifyInstance, ports: ConsoleUserPorts): void => {
  serve(app, participantConsole.createOwnUser, async ({ body, request }) => {
    const { email, name, role } = body;
    const { accountId } = callerOf(request);
    const created = await createUser(ports, managerOf(request), { email, name, role, accountId });
    if (isRefusal(created)) return created;
    return { ...userToWire(created.user), ...invitationToWire(created.invited, ports.publicUrl) };
  });
  serve(app, participantConsole.listOwnUsers, ({ query, request }) =>
    listed(query, (page) => ports.stores.users.list(callerOf(request).accountId, page), userToWire),
  );
  serve(app, participantConsole.changeOwnUser, async ({ params, body, request }) => {
    const change = given({ name: body.name, role: body.role, disabled: body.disabled });
    const user = await changeUser(ports, managerOf(request), params.id, change);
    return isRefusal(user) ? user : userToWire(user);
  });
  serve(app, participantConsole.inviteOwnUser, async ({ params, request }) => {
    const invited = await inviteUser(ports, managerOf(request), params.id);
    return isRefusal(invited) ? invited : invitationToWire(invited, ports.publicUrl);
  });
};
