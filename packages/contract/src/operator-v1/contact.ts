import Type, { type Static } from "typebox";
import { NAME_CHARACTERS, PHONE_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { boolean, byId, Email, id, language, moment, nullable, string, text } from "../values.js";
import { PageQuery, pageOf } from "./list.js";

const sms = boolean(
  "Whether the person gets dispatches and their changes by SMS, if the operator has set it up.",
  true,
);
const voice = boolean(
  "Whether the person gets dispatches and their changes by voice call, if the operator has set it up.",
);

const contactLanguage = language(
  "Language of emails, SMS and calls to the person; null: that of the account, or else of the service.",
);

/** A person who gets email when an account cannot be notified otherwise (G31, G45), and SMS or calls if asked for. */
export const Contact = Type.Object(
  {
    id: id("contact"),
    name: string("Name of the person.", "Ana Lopez"),
    email: string("Email address of the person.", "ana@example.com"),
    phone: nullable(string("Phone number, also for when email fails; null if none was given.", "+1 555 010 0200")),
    sms,
    voice,
    language: contactLanguage,
    created_at: moment("When the contact was added.", "created"),
  },
  {
    $id: "Contact",
    description:
      "A person who gets an email when the account cannot be notified otherwise, and SMS or calls if asked for.",
  },
);
export type Contact = Static<typeof Contact>;

export const createContact = endpoint({
  id: "createContact",
  method: "POST",
  path: "/accounts/{id}/contacts",
  once: "within",
  tag: "Accounts",
  summary: "Add a dispatch contact",
  description:
    "The contact gets an email when no webhook, poll or VEN of the account has received a dispatch or its change in time. With `sms` or `voice` it also gets a message at once, which needs an international phone number. An account may have 200 contacts. Its own users can add one while there are fewer than 50.",
  params: byId("account"),
  body: Type.Object({
    name: text(NAME_CHARACTERS, "Name of the person.", "Ana Lopez", 1),
    email: Email,
    phone: Type.Optional(
      nullable(text(PHONE_CHARACTERS, "Phone number, also for when email fails; null for none.", "+1 555 010 0200", 1)),
    ),
    sms: Type.Optional(sms),
    voice: Type.Optional(voice),
    language: Type.Optional(contactLanguage),
  }),
  reply: Contact,
  status: 201,
});
export const listContacts = endpoint({
  id: "listContacts",
  method: "GET",
  path: "/accounts/{id}/contacts",
  tag: "Accounts",
  summary: "List dispatch contacts",
  description: "Returns the contacts in the order in which they were added.",
  params: byId("account"),
  query: PageQuery,
  reply: pageOf(Contact),
});
export const deleteContact = endpoint({
  id: "deleteContact",
  method: "DELETE",
  path: "/contacts/{id}",
  tag: "Accounts",
  summary: "Remove a dispatch contact",
  description:
    "The contact gets no further emails or messages. An account without contacts cannot be reached by email.",
  params: byId("contact"),
  status: 204,
});
