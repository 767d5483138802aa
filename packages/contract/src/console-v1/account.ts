import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable } from "../values.js";

/** The caller's own account, and where its systems connect to. */
export const OwnAccount = Type.Object(
  {
    id: id("account", "Account id."),
    name: Type.String(),
    rest_url: Type.String({
      description: "Address of the participants' interface in production, with its version.",
      examples: ["https://dr.example.com/2022-04-15"],
    }),
    sandbox_url: Type.String({ description: "The same in the sandbox." }),
    openadr_url: nullable(Type.String({ description: "Address for VENs (OpenADR 2.0a); null where none is offered." })),
    api_key_header: Type.String({ description: "Name of the header that carries the key." }),
  },
  { $id: "OwnAccount" },
);

export const getOwnAccount = endpoint({
  id: "getOwnAccount",
  method: "GET",
  path: "/account",
  tag: "Account",
  summary: "Retrieve your account, and where its systems connect to",
  reply: OwnAccount,
});
