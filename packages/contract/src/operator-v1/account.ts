import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, Timestamp, text } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

export const Account = Type.Object(
  {
    id: id("account", "Account id."),
    name: Type.String(),
    disabled: Type.Boolean({ description: "true: every key of the account is refused." }),
    created_at: Timestamp,
  },
  { $id: "Account" },
);
export type Account = Static<typeof Account>;

const name = text(200, "Name of the participant.", 1);
const disabled = Type.Boolean({ description: "Refuse every key of the account." });

export const createAccount = endpoint({
  id: "createAccount",
  method: "POST",
  path: "/accounts",
  once: "within",
  tag: "Accounts",
  summary: "Create an account",
  body: Type.Object({ name, disabled: Type.Optional(disabled) }),
  reply: Account,
  status: 201,
});
export const listAccounts = endpoint({
  id: "listAccounts",
  method: "GET",
  path: "/accounts",
  tag: "Accounts",
  summary: "List accounts",
  query: PageQuery,
  reply: pageOf(Account),
});
export const getAccount = endpoint({
  id: "getAccount",
  method: "GET",
  path: "/accounts/{id}",
  tag: "Accounts",
  summary: "Retrieve an account",
  params: byId,
  reply: Account,
});
export const changeAccount = endpoint({
  id: "changeAccount",
  method: "PATCH",
  path: "/accounts/{id}",
  tag: "Accounts",
  summary: "Rename, disable or enable an account",
  params: byId,
  body: Type.Object({ name: Type.Optional(name), disabled: Type.Optional(disabled) }),
  reply: Account,
});
