import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Within } from "../../platform/answer-once.js";
import { serve } from "../../platform/http/endpoint.js";
import { given } from "../../platform/http/given.js";
import { listed } from "../../platform/http/page.js";
import type { PublicAddress } from "../../platform/http/public-url.js";
import { type OncePorts, serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal } from "../../platform/refusal.js";
import { personOf } from "../caller/person.js";
import type { AccessStores } from "../operations/access-stores.js";
import { inviteUser } from "../operations/invite-users.js";
import { signOutEverywhere } from "../operations/manage-sessions.js";
import { changeUser, createUser } from "../operations/manage-users.js";
import type { UserPorts } from "../operations/sign-in-ports.js";
import { invitationToWire, userToWire } from "./wire-user.js";

export type OwnUserRoutePorts = UserPorts & OncePorts<Within<AccessStores>> & PublicAddress;

/** Users of the caller's own account. */
export const ownUserRoutes = (app: FastifyInstance, ports: OwnUserRoutePorts): void => {
  serveOnce(app, participantConsole.createOwnUser, ports, async ({ body, request }, ports) => {
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
  serveOnce(app, participantConsole.inviteOwnUser, ports, async ({ params, request }, ports) => {
    const again = await inviteUser(ports, personOf(request), params.id);
    return isRefusal(again) ? again : invitationToWire(again.invited, ports.publicUrl);
  });
  serveOnce(app, participantConsole.signOutOwnUser, ports, async ({ params, request }, ports) => {
    const user = await signOutEverywhere(ports, personOf(request), params.id);
    return isRefusal(user) ? user : undefined;
  });
};
