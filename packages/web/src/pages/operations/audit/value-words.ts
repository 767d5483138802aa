import { languages } from "@curtail/words/page";
import { formWords } from "../../../parts/address-forms.js";
import { channelWords } from "../../../parts/certified-words.js";
import { channelTitles } from "../../../parts/channel-texts.js";
import { deliveryEvents, deliveryStates } from "../../../parts/delivery-words.js";
import { environmentWords } from "../../../parts/environment-words.js";
import { countsWords } from "../../../parts/performance-quality.js";
import { roleWords } from "../../../parts/role-words.js";
import { scenarioWords } from "../../../parts/scenario-words.js";
import { eventWords } from "../../../parts/webhook-events.js";
import { anchorWords, presetWords } from "../../../rules/baseline.js";
import { formatWords, kindWords } from "../../../rules/column-role.js";
import {
  characterWords,
  clockWords,
  dataFormats,
  decimalWords,
  labelWords,
  layoutWords,
  midnightWords,
  signWords,
} from "../../../rules/mapping-words.js";
import { clientRoleWords } from "../../../rules/openadr3-client-draft.js";
import { payloadName } from "../../../rules/openadr3-event-draft.js";
import { levelWords, typeWords } from "../../../rules/program-draft.js";
import { countedWords } from "../../../rules/terms-draft.js";
import { ALL_SITES, contextWords, POLLING, resourceWords } from "../../../rules/ven-draft.js";
import { alarmTitle } from "../alarms/alarm-title.js";
import { assetWords, kwhWords } from "../site/asset-type.js";

/** Words of a value; undefined for one that they do not know. */
type Words = (value: string) => string | undefined;

const of =
  (list: Readonly<Record<string, string>>): Words =>
  (value) =>
    Object.hasOwn(list, value) ? list[value] : undefined;

/** Codes that people read as they are. */
const code: Words = (value) => value;
const character: Words = (value) => of(characterWords)(value) ?? value;

/** Words of members that are one of several, where pages have them, by the end of their path. */
const words: Readonly<Record<string, Words>> = {
  "alarm.kind": alarmTitle,
  anchor: of(anchorWords),
  asset_type: of(assetWords),
  "channel_address.channel": of(channelTitles),
  "channel_address.form": formWords,
  counted: of(countedWords),
  "delivery.event": of(deliveryEvents),
  "delivery.state": of(deliveryStates),
  "delivery_hold.dropped.channel": of({ ...channelTitles, mqtt: "MQTT", sandbox: environmentWords.sandbox }),
  "dispatch.counts": of(countsWords),
  environment: of(environmentWords),
  "integration_certificate.passes.channels": of(channelWords),
  kwh_means: of(kwhWords),
  language: of(languages),
  "mapping.decimal": of(decimalWords),
  "mapping.delimiter": character,
  "mapping.layout": of(layoutWords),
  "mapping.matrix.clock": of(clockWords),
  "mapping.thousands": character,
  "mapping.time.format": of(formatWords),
  "mapping.time.label": of(labelWords),
  "mapping.time.midnight": of(midnightWords),
  "mapping.values.kind": of(kindWords),
  "mapping.values.sign": of(signWords),
  "mapping.values.unit": code,
  market_context: of(contextWords),
  "meter_data.format": of(dataFormats),
  "openadr.level": of(levelWords),
  "openadr3_client.role": of(clientRoleWords),
  payload_type: payloadName,
  preset: presetWords,
  program_type: of(typeWords),
  scenario_type: of(scenarioWords),
  scopes: code,
  "openadr3_client.sites": of({ all: ALL_SITES }),
  "targets.resource": of(resourceWords),
  transport: of({ pull: POLLING }),
  "user.role": of(roleWords),
  "ven.sites": of({ all: ALL_SITES }),
  "webhook.events": of(eventWords),
};

/** Members whose names people chose, or that a document describes. */
const DATA = /\.(metadata|method)\./;
export const isData = (path: readonly string[]): boolean => DATA.test(path.join("."));

/**
 * A value of a member in words.
 *
 * @param path of the member, from the kind of the entry on: `["site", "meters", "asset_type"]`
 * @returns undefined if pages have no words for it
 */
export const valueWords = (path: readonly string[], value: string | number): string | undefined => {
  if (isData(path)) return undefined;
  const ends = path.map((_, index) => path.slice(index).join("."));
  const found = ends.find((end) => Object.hasOwn(words, end));
  return found === undefined ? undefined : words[found]?.(String(value));
};
