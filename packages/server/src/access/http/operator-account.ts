import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { TableRowOf } from "../../platform/files/table-file.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve, serveFile } from "../../platform/http/endpoint.js";
import { given } from "../../platform/http/given.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { everyItem, type PageRequest } from "../../platform/page.js";
import { isRefusal, mapResult, notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { actorOf, mayContinue } from "../caller/actor.js";
import type { Account } from "../domain/account.js";
import { knownLanguage } from "../domain/language.js";
import type { AccountStores } from "../operations/manage-accounts.js";
import { changeAccount, createAccount } from "../operations/manage-accounts.js";
import { eachOf, sentTable } from "./sent-table.js";

const toWire = ({ id, name, disabled, language, isSimulated, createdAt }: Account): operator.Account => ({
  id,
  name,
  disabled,
  language: knownLanguage(language),
  simulated: isSimulated,
  created_at: formatTimestamp(createdAt),
});

export type AccountRoutePorts = RepeatablePorts<AccountStores>;

/** Columns of the file of accounts. */
const ACCOUNT_COLUMNS = {
  id: "word",
  name: "name",
  disabled: "word",
  simulated: "word",
  created_at: "time",
  language: "word?",
} as const;

const toRow = ({
  id,
  name,
  disabled,
  language,
  isSimulated,
  createdAt,
}: Account): TableRowOf<typeof ACCOUNT_COLUMNS> => ({
  id,
  name,
  disabled: String(disabled),
  simulated: String(isSimulated),
  created_at: createdAt.getTime(),
  language,
});

export const accountRoutes = (app: FastifyInstance, ports: AccountRoutePorts, budget: AnswerBudget): void => {
  serveOnce(app, operator.createAccount, ports, async ({ body, request }, ports) => {
    const input = { name: body.name, disabled: body.disabled ?? false, language: body.language ?? null };
    return mapResult(createAccount(ports, actorOf(request), input, body.confirm_near_match === true), toWire);
  });
  serve(app, operator.listAccounts, ({ query }) => listed(query, (page) => ports.stores.accounts.list(page), toWire));
  serveFile(app, operator.downloadAccounts, async (call) =>
    sentTable({ reader: actorOf, mayContinue, budget }, call, {
      name: "accounts",
      format: call.query.format ?? "csv",
      columns: ACCOUNT_COLUMNS,
      rows: eachOf(
        everyItem((page: PageRequest) => ports.stores.accounts.list(page)),
        toRow,
      ),
    }),
  );
  serve(app, operator.getAccount, async ({ params }) => {
    const account = await ports.stores.accounts.find(params.id);
    return account === null ? notFound("account") : toWire(account);
  });
  serve(app, operator.changeAccount, async ({ params, body, request }) => {
    const change = given({ name: body.name, disabled: body.disabled, language: body.language });
    const account = await changeAccount(ports, actorOf(request), params.id, change, {
      isNearConfirmed: body.confirm_near_match === true,
      isRunningConfirmed: body.confirm_running === true,
    });
    return isRefusal(account) ? account : toWire(account);
  });
};
