import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal } from "../../platform/refusal.js";
import { personOf } from "../caller/person.js";
import type { AccessStores } from "../operations/access-stores.js";
import { addContact, removeContact } from "../operations/manage-accounts.js";
import { contactToWire } from "./wire-contact.js";

export type OwnContactRoutePorts = RepeatablePorts<AccessStores>;

/** Dispatch contacts of the caller's own account. */
export const ownContactRoutes = (app: FastifyInstance, ports: OwnContactRoutePorts): void => {
  serveOnce(
    app,
    participantConsole.createOwnContact,
    ports,
    async ({ body: { name, email, phone = null, sms = false, voice = false }, request }, ports) => {
      const person = personOf(request);
      const contact = await addContact(ports, person, { accountId: person.within, name, email, phone, sms, voice });
      return isRefusal(contact) ? contact : contactToWire(contact);
    },
  );
  serve(app, participantConsole.listOwnContacts, ({ query, request }) =>
    listed(query, (page) => ports.stores.contacts.list(personOf(request).within, page), contactToWire),
  );
  serve(app, participantConsole.deleteOwnContact, async ({ params, request }) => {
    const removed = await removeContact(ports, personOf(request), params.id);
    return isRefusal(removed) ? removed : undefined;
  });
};
