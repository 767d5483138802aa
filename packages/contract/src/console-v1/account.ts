import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { accountName, id, nullable, string } from "../values.js";

/** The caller's own account, and the addresses for its systems. */
export const OwnAccount = Type.Object(
  {
    id: id("account"),
    name: accountName,
    rest_url: string(
      "Address of the participants' interface in production, with its version.",
      "https://dr.example.com/2022-04-15",
    ),
    sandbox_url: string(
      "Address of the participants' interface in the sandbox.",
      "https://sandbox.example.com/2022-04-15",
    ),
    openadr_url: nullable(
      string("Address for VENs (OpenADR 2.0a); null if OpenADR is not offered.", "https://dr.example.com:8443"),
    ),
    api_key_header: string("Name of the header that carries the API key.", "X-Service-API-Key"),
  },
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
