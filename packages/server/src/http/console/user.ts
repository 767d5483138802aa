import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal } from "../../domain/refusal.js";
import { inviteUser } from "../../operations/invite-users.js";
import { signOutEverywhere } from "../../operations/manage-sessions.js";
import { changeUser, createUser } from "../../operations/manage-users.js";
import { serve } from "../endpoint.js";
import { given } from "../given.js";
import { listed } from "../page.js";
import { invitationToWire, userToWire } from "../wire/user.js";
import type { ConsolePorts } from "./console-ports.js";
import { personOf } from "./person.js";

/** Users of the caller's own account. */
export const ownUserRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  serve(app, participantConsole.createOwnUser, async ({ body, request }) => {
    const { email, name, role } = body;
    const person = personOf(request);
    const created = await createUser(ports, person, { email, name, role, accountId: person.within });
    if (isRefusal(created)) return created;
    return { ...userToWire(created.user), ...invitationToWire(created.invited, ports.publicUrl) };
  });
  serve(app, participantConsole.listOwnUsers, ({ query, request }) =>
    listed(query, (page) => ports.stores.users.list(personOf(request).within, page), userToWire),
  );
  serve(app, participantConsole.changeOwnUser, async ({ params, body, request }) => {
    const change = given({ name: body.name, role: body.role, disabled: body.disabled });
    const user = await changeUser(ports, personOf(request), params.id, change);
    return isRefusal(user) ? user : userToWire(user);
  });
  serve(app, participantConsole.inviteOwnUser, async ({ params, request }) => {
    const again = await inviteUser(ports, personOf(request), params.id);
    return isRefusal(again) ? again : invitationToWire(again.invited, ports.publicUrl);
  });
  serve(app, participantConsole.signOutOwnUser, async ({ params, request }) => {
    const user = await signOutEverywhere(ports, personOf(request), params.id);
    return isRefusal(user) ? user : undefined;
  });
};
