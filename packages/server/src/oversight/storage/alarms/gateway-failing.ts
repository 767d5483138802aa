import { ALARMING_HANDOVERS } from "../../../notification/domain/handover.js";
import type { PhoneChannel } from "../../../notification/domain/phone-message.js";
import { IS_TO_PHONE } from "../../../notification/storage/phone-messages.js";
import { alarmRule } from "../alarm-rule.js";
import { count, oneOf, textOrNull } from "../facts.js";

const settings: Readonly<Record<PhoneChannel, string>> = { sms: "CURTAIL_SMS_URL", voice: "CURTAIL_VOICE_URL" };
const names: Readonly<Record<PhoneChannel, string>> = { sms: "SMS", voice: "voice calls" };

const channel = oneOf("sms", "voice");

/** Gateways that keep failing: one alarm for each, however many contacts wait. */
export const gatewayFailing = alarmRule({
  kind: "gateway_failing",
  find: `
    select case channel when 'sms' then '${settings.sms}' else '${settings.voice}' end as subject, null as account_id, channel,
      count(*) as messages, count(distinct account_id) as accounts, max(detail ->> 'error') as last_error
    from messages where ${IS_TO_PHONE} and state = 'pending' and not behind and failures >= ${ALARMING_HANDOVERS} group by channel order by channel`,
  facts: { channel, messages: count, accounts: count, last_error: textOrNull },
  message: ({ channel: of, messages, accounts, last_error }) =>
    `The gateway for ${names[of]} does not take messages (${last_error}): ${messages} for contacts of ` +
    `${accounts} accounts wait. Check ${settings[of]} and the gateway, and phone the accounts meanwhile.`,
});
