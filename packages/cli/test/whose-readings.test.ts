import { expect, test } from "vitest";
import { idsIn, whoseReadings, whoseRehearsal } from "../src/participant/whose-readings.js";

const account = { url: "https://a.example", ids: new Set(["site_1", "mtr_1", "mtr_2"]) };
const noted = (ids: readonly string[], url = account.url) => ({ url, keys: ["k"], ids });

test.for([
  ["its note names a site of the account", noted(["site_1", "site_old"]), true, ["mtr_9"], "the account's"],
  ["its note names no site of the account", noted(["site_9"]), true, ["mtr_1"], "another's"],
  ["its note is for another address", noted(["site_1"], "https://b.example"), true, ["mtr_1"], "another's"],
  ["all readings name its meters, and the address is noted", noted([]), false, ["mtr_1", "site_1"], "the account's"],
  ["all readings name its meters, and nothing tells the address", null, false, ["mtr_1"], "perhaps"],
  ["all readings name its meters, and the name tells the address", null, true, ["mtr_1"], "the account's"],
  ["one reading names a stranger", null, true, ["mtr_1", "mtr_9"], "perhaps"],
  ["one reading names a stranger, before the service was asked", noted([]), true, ["mtr_1", "mtr_9"], "perhaps"],
  ["no reading names a meter of the account", null, true, ["mtr_9"], "another's"],
  ["no reading names anything", null, true, [], "perhaps"],
] as const)("of a folder %s", ([, note, isOfAddress, named, whose]) => {
  expect(whoseReadings({ note, isOfAddress, named: new Set(named) }, account)).toBe(whose);
});

test.for([
  ["has the mark of the key", { url: account.url, keys: ["own"], ids: [] }, false, ["mtr_9"], "the account's"],
  ["has the mark of another key and names the same sites", noted(["site_1"]), false, ["site_1"], "another's"],
  ["has no note", null, false, ["site_1"], "another's"],
  ["is named by a person, and all is of the sandbox", noted(["site_1"]), true, ["site_1"], "perhaps"],
  ["is named by a person, and a reading is of production", noted([]), true, ["site_1", "site_9"], "another's"],
  ["is named by a person, and its account has sites", noted(["site_9"]), true, [], "another's"],
  ["is named by a person, and is for another address", noted([], "https://b.example"), true, [], "another's"],
] as const)("in the sandbox, of a folder that %s", ([, note, isNamed, named, whose]) => {
  expect(whoseRehearsal({ note, isNamed, named: new Set(named) }, account, "own")).toBe(whose);
});

test("readings name meters and sites; lines that are none name nothing", async () => {
  const lines = ['{"meter_id":"mtr_1"}', '{"site_id":"site_1","meter_id":7}', "nonsense", "null", "[1]"];
  const records = (async function* () {
    for (const line of lines) yield { payload: Buffer.from(line) };
  })();
  expect([...(await idsIn(records))]).toEqual(["mtr_1", "site_1"]);
});
