import { type BodyOf, operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { done, mapResult, notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { managerOf } from "../caller/actor.js";
import { personOf } from "../caller/person.js";
import type { Contact } from "../domain/account.js";
import { knownLanguage } from "../domain/language.js";
import type { AccessStores } from "../operations/access-stores.js";
import { addContact, removeContact } from "../operations/manage-accounts.js";

export type ContactRoutePorts = RepeatablePorts<AccessStores>;

export const contactRoutes = (app: FastifyInstance, ports: ContactRoutePorts): void => {
  serveOnce(app, operator.createContact, ports, ({ params, body, request }, ports) =>
    mapResult(addContact(ports, managerOf(request), contactFrom(body, params.id)), contactToWire),
  );
  serve(app, operator.listContacts, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    return listed(query, (page) => ports.stores.contacts.list(params.id, page), contactToWire);
  });
  serve(app, operator.deleteContact, ({ params, request }) =>
    done(removeContact(ports, managerOf(request), params.id)),
  );
};

/** Dispatch contacts of the caller's own account. */
export const ownContactRoutes = (app: FastifyInstance, ports: ContactRoutePorts): void => {
  serveOnce(app, participantConsole.createOwnContact, ports, async ({ body, request }, ports) => {
    const person = personOf(request);
    return mapResult(addContact(ports, person, contactFrom(body, person.within)), contactToWire);
  });
  serve(app, participantConsole.listOwnContacts, ({ query, request }) =>
    listed(query, (page) => ports.stores.contacts.list(personOf(request).within, page), contactToWire),
  );
  serve(app, participantConsole.deleteOwnContact, ({ params, request }) =>
    done(removeContact(ports, personOf(request), params.id)),
  );
};

const contactFrom = (
  { name, email, phone = null, sms = false, voice = false, language = null }: BodyOf<typeof operator.createContact>,
  accountId: string,
) => ({ accountId, name, email, phone, sms, voice, language });

const contactToWire = ({ id, name, email, phone, sms, voice, language, createdAt }: Contact): operator.Contact => ({
  id,
  name,
  email,
  phone,
  sms,
  voice,
  language: knownLanguage(language),
  created_at: formatTimestamp(createdAt),
});
