import { ALARMING_GATEWAY_FAILURES, type PhoneChannel } from "../../notification/domain/phone-message.js";
import type { Queryable } from "../../platform/database/database.js";
import type { Finding } from "../../platform/database/finding.js";

interface FailingRow {
  readonly channel: PhoneChannel;
  readonly messages: number;
  readonly accounts: number;
  readonly last_error: string | null;
}

const settings: Readonly<Record<PhoneChannel, string>> = { sms: "CURTAIL_SMS_URL", voice: "CURTAIL_VOICE_URL" };
const names: Readonly<Record<PhoneChannel, string>> = { sms: "SMS", voice: "voice calls" };

/** Gateways that keep failing: one alarm for each, however many contacts wait. */
export const failingGateways = async (db: Queryable): Promise<Finding[]> => {
  const { rows } = await db.query<FailingRow>(
    `select channel, count(*) as messages, count(distinct account_id) as accounts, max(last_error) as last_error
     from phone_messages where state = 'waiting' and failures >= $1 group by channel order by channel`,
    [ALARMING_GATEWAY_FAILURES],
  );
  return rows.map(({ channel, messages, accounts, last_error }) => ({
    subject: settings[channel],
    accountId: null,
    message:
      `The gateway for ${names[channel]} does not take messages (${last_error}): ${messages} for contacts of ` +
      `${accounts} accounts wait. Check ${settings[channel]} and the gateway, and phone the accounts meanwhile.`,
  }));
};
