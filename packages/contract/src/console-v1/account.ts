import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { Addresses } from "../operator-v1/addresses.js";
import { accountName, id } from "../values.js";

/** The caller's own account, and the addresses for its systems. */
export const OwnAccount = Type.Object(
  { id: id("account"), name: accountName, ...Addresses.properties },
  { $id: "OwnAccount", description: "Your account, and the addresses for its systems." },
);

export const getOwnAccount = endpoint({
  id: "getOwnAccount",
  method: "GET",
  path: "/account",
  tag: "Account",
  summary: "Retrieve your account",
  description: "Returns the account and the addresses that its systems connect to. Only the operator can change them.",
  reply: OwnAccount,
});
