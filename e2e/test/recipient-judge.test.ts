import { expect, test } from "vitest";
import { type Claim, type Facts, faults, unfounded } from "./support/recipients/judge.js";

const anna = { accountId: "acc_anna", siteId: "site_anna", kind: "polls", isDisabled: false };
const bert = { accountId: "acc_bert", siteId: "site_bert", kind: "no channel", isDisabled: false };
const gone = { accountId: "acc_gone", siteId: "site_gone", kind: "disabled", isDisabled: true };

const good: Facts = {
  recipients: [anna, bert, gone],
  dispatches: [
    { id: "dis_1", excludedSites: ["site_gone"] },
    { id: "dis_2", excludedSites: null },
  ],
  successes: ["dis_1", "dis_2"].map((dispatchId) => ({ accountId: "acc_anna", dispatchId, by: "poll" as const })),
  alarms: ["dis_1", "dis_2"].map((id) => ({ account_id: "acc_bert", message: `Bert was not told of ${id}.` })),
};

test("a success or an alarm for each account and dispatch is enough", () => {
  expect(faults(good)).toEqual([]);
});

test("each account and dispatch with neither a success nor an alarm is named", () => {
  const [first] = good.successes;
  expect(faults({ ...good, successes: first === undefined ? [] : [first] })).toEqual([
    "acc_anna (polls), dis_2: neither a success nor an alarm",
  ]);
  expect(faults({ ...good, alarms: [] })).toHaveLength(2);
});

test("an alarm of another account, of none, or of another dispatch counts for nothing", () => {
  const alarms = [
    { account_id: "acc_anna", message: "Bert was not told of dis_1." },
    { account_id: null, message: "acc_bert was not told of dis_1." },
    { account_id: "acc_bert", message: "Bert was not told of dis_11 and dis_22." },
  ];
  expect(faults({ ...good, alarms })).toHaveLength(2);
});

test("one alarm may name several dispatches", () => {
  expect(faults({ ...good, alarms: [{ account_id: "acc_bert", message: "Not told of dis_1, dis_2." }] })).toEqual([]);
});

test("a disabled account that was notified, raised an alarm or was not excluded is named", () => {
  const successes = [...good.successes, { accountId: "acc_gone", dispatchId: "dis_1", by: "mail" as const }];
  const alarms = [...good.alarms, { account_id: "acc_gone", message: "Gone was not told of dis_2." }];
  const dispatches = good.dispatches.map((each) => ({ ...each, excludedSites: [] }));
  expect(faults({ ...good, successes, alarms, dispatches })).toEqual([
    "acc_gone (disabled), dis_1: disabled, and there is a success by mail",
    "acc_gone (disabled), dis_1: disabled and not excluded",
    "acc_gone (disabled), dis_2: disabled, and there is an alarm",
    "acc_gone (disabled), dis_2: disabled and not excluded",
  ]);
});

const claim = (channel: Claim["channel"], what: string, response_code = "200"): Claim => ({
  account_id: "acc_anna",
  channel,
  what,
  detail: { response_code },
});

test("a success that only the evidence knows of is named; refusals and attempts claim none", () => {
  const founded = [claim("rest", "polled"), claim("webhook", "attempt"), claim("openadr", "acknowledged", "400")];
  expect(unfounded(good, "dis_1", founded)).toEqual([]);
  const invented = [claim("webhook", "delivered"), claim("mail", "mailed"), claim("openadr", "acknowledged")];
  expect(unfounded(good, "dis_1", invented)).toEqual([
    "acc_anna, dis_1: webhook delivered, which nobody saw",
    "acc_anna, dis_1: mail mailed, which nobody saw",
    "acc_anna, dis_1: openadr acknowledged, which nobody saw",
  ]);
});
