import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { Email, id, nullable, Timestamp, text } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

/** A person who is mailed when an account cannot be reached. */
export const Contact = Type.Object(
  {
    id: id("contact", "Contact id."),
    name: Type.String(),
    email: Type.String(),
    phone: nullable(
      Type.String({ description: "Number to call when no mail can be sent either; null where none was given." }),
    ),
    created_at: Timestamp,
  },
  { $id: "Contact" },
);
export type Contact = Static<typeof Contact>;

export const createContact = endpoint({
  id: "createContact",
  method: "POST",
  path: "/accounts/{id}/contacts",
  once: "within",
  tag: "Accounts",
  summary: "Add a dispatch contact",
  params: byId,
  body: Type.Object({
    name: text(200, "Name of the person.", 1),
    email: Email,
    phone: Type.Optional(
      nullable({
        ...text(50, "Number to call when no mail can be sent either, as it is dialled; null: none.", 1),
        examples: ["+1 555 010 0200"],
      }),
    ),
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
  params: byId,
  query: PageQuery,
  reply: pageOf(Contact),
});
export const deleteContact = endpoint({
  id: "deleteContact",
  method: "DELETE",
  path: "/contacts/{id}",
  tag: "Accounts",
  summary: "Remove a dispatch contact",
  params: byId,
  status: 204,
});
