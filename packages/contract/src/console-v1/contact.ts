import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/contact.js";
import { ofOwnAccount } from "./own.js";

/** Dispatch contacts of the caller's own account. */
export const createOwnContact = endpoint({
  ...ofOwnAccount(operator.createContact),
  id: "createOwnContact",
  path: "/contacts",
});
export const listOwnContacts = endpoint({
  ...ofOwnAccount(operator.listContacts),
  id: "listOwnContacts",
  path: "/contacts",
});
export const deleteOwnContact = endpoint({ ...operator.deleteContact, id: "deleteOwnContact" });
