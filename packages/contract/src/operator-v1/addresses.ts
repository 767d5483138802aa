import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { nullable, string, url } from "../values.js";

/** Where participants' systems connect. */
export const Addresses = Type.Object(
  {
    rest_url: url(
      "Address of the participants' interface in production, with its version.",
      "https://dr.example.com/2022-04-15",
    ),
    sandbox_url: url(
      "Address of the participants' interface in the sandbox.",
      "https://sandbox.example.com/2022-04-15",
    ),
    openadr_url: nullable(
      url("Address for VENs (OpenADR 2.0a); null if OpenADR is not offered.", "https://dr.example.com:8443"),
    ),
    openadr3_url: nullable(
      url(
        "Address of OpenADR 3.1 with its base path; null if it is not offered.",
        "https://dr.example.com:8090/openadr3/3.1.0",
      ),
    ),
    api_key_header: string("Name of the header that carries the API key.", "X-Service-API-Key"),
  },
  { $id: "Addresses", description: "Addresses for participants' systems." },
);

export const getAddresses = endpoint({
  id: "getAddresses",
  method: "GET",
  path: "/addresses",
  tag: "Overview",
  summary: "Retrieve the addresses for participants' systems",
  description:
    "Returns the addresses that participants' systems connect to, and the header that carries their API key.",
  reply: Addresses,
});
