import { ALARMING_HANDOVERS } from "../../../notification/domain/handover.js";
import { quote } from "../../../platform/quote.js";
import { account, accountName, alarmRule } from "../alarm-rule.js";
import { text, textOrNull } from "../facts.js";

/** Addresses of channels, such as chat rooms, that keep failing. */
export const addressFailing = alarmRule({
  kind: "address_failing",
  find: `
    select addresses.id as subject, account_id, accounts.name as account_name, channel, addresses.name, last_error
    from channel_addresses as addresses join accounts on accounts.id = account_id and not disabled
    where failures >= ${ALARMING_HANDOVERS} and deleted_at is null order by addresses.seq`,
  facts: { ...account, channel: text, name: text, last_error: textOrNull },
  message: (address) =>
    `The address ${quote(address.name)} (${address.channel}) of account ${accountName(address)} does not take messages (${address.last_error}). ` +
    "Ask the account for another address, and phone it meanwhile.",
});
