import { account, accountName, alarmRule } from "../alarm-rule.js";
import { count, texts } from "../facts.js";

const NAMED = 5;

/** Accounts with batteries whose kWh count as energy until an operator says what they are (G59). */
export const batteryUndecided = alarmRule({
  kind: "battery_undecided",
  find: `
    select account_id as subject, account_id, accounts.name as account_name, count(*) as meters,
      (array_agg(meters.name || ' of ' || sites.name order by meters.seq))[1:${NAMED}] as some
    from meters join sites on sites.id = site_id join accounts on accounts.id = account_id
    where kwh_means = 'undecided' group by account_id, accounts.name order by account_id`,
  facts: { ...account, meters: count, some: texts },
  message: (owner) =>
    `Batteries of account ${accountName(owner)} may send their state of charge in kWh, which counts as energy until you decide: ` +
    `${owner.some.join(", ")}${owner.meters > NAMED ? ` and ${owner.meters - NAMED} more` : ""}. Ask the account, and set on the ` +
    "page of each site what kWh of its meters mean.",
});
