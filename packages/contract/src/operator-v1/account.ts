import Type, { type Static } from "typebox";
import { NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { tableFiles } from "../v2022-04-15/performance.js";
import { fileFormat } from "../v2022-04-15/report.js";
import { accountName, boolean, byId, id, language, moment, text } from "../values.js";
import { confirmNearMatch } from "./confirm-near-match.js";
import { confirmRunning } from "./confirm-running.js";
import { PageQuery, pageOf } from "./list.js";

const disabled = boolean(
  "`true`: the account's keys and users are refused, and its sites are left out of new dispatches.",
);

const accountLanguage = language(
  "Language of what contacts, chat addresses and users of the account are sent, unless they have one of their own; null: that of the service.",
);

export const Account = Type.Object(
  {
    id: id("account"),
    name: accountName,
    disabled,
    language: accountLanguage,
    simulated: boolean("Whether the account belongs to the simulated site and counts nowhere.", false),
    created_at: moment("When the account was created.", "created"),
  },
  { $id: "Account", description: "A participant's organisation." },
);
export type Account = Static<typeof Account>;

const name = text(NAME_CHARACTERS, "Name of the participant.", "Northgate Foods", 1);

export const createAccount = endpoint({
  id: "createAccount",
  method: "POST",
  path: "/accounts",
  once: "within",
  tag: "Accounts",
  summary: "Create an account",
  description:
    "The account has no sites, keys or users yet; create them next. Names need not be unique; a name that is almost the same as another one needs `confirm_near_match`.",
  body: Type.Object({
    name,
    disabled: Type.Optional(disabled),
    language: Type.Optional(accountLanguage),
    confirm_near_match: confirmNearMatch,
  }),
  reply: Account,
  status: 201,
});
export const listAccounts = endpoint({
  id: "listAccounts",
  method: "GET",
  path: "/accounts",
  tag: "Accounts",
  summary: "List accounts",
  description: "Returns all accounts, including disabled ones, in order of creation.",
  query: PageQuery,
  reply: pageOf(Account),
});
export const downloadAccounts = endpoint({
  id: "downloadAccounts",
  method: "GET",
  path: "/accounts/download",
  tag: "Accounts",
  summary: "Download the accounts as a file",
  description:
    "The accounts of GET /accounts, with its members as columns. In CSV, an apostrophe precedes names that a spreadsheet would take for a formula.",
  query: Type.Object({ format: fileFormat }),
  files: tableFiles,
});
export const getAccount = endpoint({
  id: "getAccount",
  method: "GET",
  path: "/accounts/{id}",
  tag: "Accounts",
  summary: "Retrieve an account",
  description: "Returns the account itself. Its sites, keys, contacts, webhooks and VENs have lists of their own.",
  params: byId("account"),
  reply: Account,
});
export const changeAccount = endpoint({
  id: "changeAccount",
  method: "PATCH",
  path: "/accounts/{id}",
  tag: "Accounts",
  summary: "Change an account",
  description:
    "Members that are left out keep their value. Disabling an account refuses its keys and drops its pending deliveries at once; it is left out of new dispatches and not notified. Enabling it again does not send what was dropped.",
  params: byId("account"),
  body: Type.Object({
    name: Type.Optional(name),
    disabled: Type.Optional(disabled),
    language: Type.Optional(accountLanguage),
    confirm_running: confirmRunning,
    confirm_near_match: confirmNearMatch,
  }),
  reply: Account,
});
