import { participantConsole } from "@curtail/contract";
import { gateway } from "@curtail/testing/gateway";
import { newPeopledAccount, type PeopledAccount } from "./console-calls.js";
import type { ParticipantCall } from "./participant-calls.js";
import { type Browser, newBrowser } from "./people.js";
import { type Running, running } from "./running.js";

export let service: Running;
export let anna: PeopledAccount;
export let bert: PeopledAccount;
export let operator: Browser;

export const prepare = async () => {
  service = await running({ CURTAIL_SMS_URL: (await gateway()).url });
  anna = await newPeopledAccount(service, "Anna's works", "annas main");
  bert = await newPeopledAccount(service, "Bert's works", "berts main");
  operator = await newBrowser(service, "operator-admin");
};

export const send = (browser: Browser, { method, path, body }: ParticipantCall) => browser.console(method, path, body);

/** Everything that identifies an account: ids, names and emails. */
export const marksOf = ({ participant, names, admin, viewer }: PeopledAccount): string[] => [
  participant.accountId,
  participant.keyId,
  ...Object.values<string>({ ...names }),
  admin.id,
  admin.email,
  viewer.id,
  viewer.email,
  "annas main",
  "Anna's works",
];

/** What an account has, as the operator and the account itself see it. */
export const stateOf = async ({ participant: { accountId }, names }: PeopledAccount): Promise<string> => {
  const { pool } = service.database;
  const { rows } = await pool.query(
    `select (select json_agg(u order by seq) from users u where account_id = $1) as users,
            (select json_agg(w order by seq) from webhooks w where account_id = $1) as webhooks,
            (select json_agg(b order by seq) from availability_blocks b where site_id = $2) as blocks,
            (select count(*) from audit_log where account_id = $1) as acts,
            (select json_agg(d order by position) from dispatch_sites d where account_id = $1) as dispatches,
            (select count(*) from user_invitations join users on users.id = user_id where account_id = $1) as links`,
    [accountId, names.siteId],
  );
  return JSON.stringify(rows[0]);
};

export const everyEndpoint = participantConsole.consoleEndpoints.map(
  (each) => [`${each.method} ${each.path}`, each] as const,
);
