import { say } from "@curtail/words/page";
import { NUMBER_LOCALE } from "../format/locale.js";
import type { MemberFault } from "../ui/fault.js";
import { saidRefusal } from "./refusal-words.js";

/** Names of members, with which most messages of the API begin. */
const NAME = String.raw`[a-z]+(?:_[a-z]+)*(?:\[\d+\]|\.[a-z_]+)*`;
const VALUE = String.raw`missing|"[^"]*"|-?[\d.e+]+|true|false|null|a list of \d+|a long text|an object`;
/** Matches `poll_interval_seconds is 0; it must be at least 1`, also several in one message. */
const rules = new RegExp(`(${NAME}) is (${VALUE}); it must (.+?)(?=; ${NAME} is (?:${VALUE});|; and |$)`, "g");

/** Splits an error message of the service into faults of form fields. */
export const memberFaults = (message: string): readonly MemberFault[] => {
  const ruled = [...message.matchAll(rules)].map(([, member = "", value = "", rule = ""]) => {
    const inList = /\[\d+\]$/.test(member) ? `${value.replaceAll('"', "")}: ` : "";
    const words = inList + ruleWords(member, rule);
    return { member, words, alone: say("{field}: {fault}", { field: fieldOf(member), fault: words }) };
  });
  // If alternatives failed, the inner member is more specific: `transport.push_url`, not `transport`.
  const inner = ruled.filter(({ member }) => !ruled.some((other) => other.member.startsWith(`${member}.`)));
  const words = saidRefusal(message) ?? sentence(message);
  return inner.length > 0 ? inner : [{ member: memberOf(message), words, alone: words }];
};

/** Messages that do not begin with the name of their member. */
const beginnings = [
  ["the password has", "new_password"],
  ["the password is the email", "new_password"],
  ["there is already a user with this email", "email"],
  ["status_limits must rise", "status_limits.amber_from"],
] as const;

const memberOf = (message: string): string | null => {
  const known = beginnings.find(([beginning]) => message.startsWith(beginning));
  if (known !== undefined) return known[1];
  const first = new RegExp(`^${NAME}(?= )`).exec(message)?.[0] ?? "";
  // The first word if it is a member, else any member named: "… lasts at most 24 hours; give an earlier end_time".
  return first.includes("_") || first in nouns
    ? first
    : (/\b(?:[a-z]+_)+[a-z]+\b/.exec(message)?.[0] ?? (first || null));
};

const PERCENT = /^(amber_from|green_from|green_to|least_coverage)$/;

const ruleWords = (member: string, rules: string): string => {
  // What may be left out is left out by an empty field.
  const rule = rules.replace(/^be null or | or be null$/, "");
  const name = member.split(".").at(-1) ?? member;
  const limit = /^be at (least|most) (-?[\d.e+]+)$/.exec(rule);
  if (limit !== null) {
    const values = { amount: amount(name, Number(limit[2])) };
    return limit[1] === "least" ? say("Enter at least {amount}.", values) : say("Enter at most {amount}.", values);
  }
  const characters = /^have at most (\d+) characters$/.exec(rule);
  if (characters !== null) return say("Use at most {n} characters.", { n: characters[1] ?? "" });
  if (rule.startsWith("have the form")) return forms[name] ?? say("Remove line breaks and control characters.");
  if (/^be a (whole )?number/.test(rule)) return say("Enter a number.");
  if (/fewer than 1/.test(rule)) return say("Choose at least one.");
  if (rule === "be given" || rule === "not be empty") return say("This field is required.");
  return saidRefusal(`it must ${rule}`) ?? sentence(`it must ${rule}`);
};

const forms: Readonly<Record<string, string>> = {
  email: say("Enter an email address, such as {example}.", { example: "name@example.com" }),
  ven_id: say("Use letters, digits, dots, hyphens and underscores only."),
  totp: say("Enter the six digits shown in the app."),
  code: say("Enter the six digits shown in the app."),
};

/** In the unit of the form: percent instead of ratios, days or minutes instead of seconds. */
const amount = (name: string, value: number): string => {
  if (PERCENT.test(name)) return `${value * 100}%`;
  if (!name.endsWith("_seconds")) return value.toLocaleString(NUMBER_LOCALE);
  if (value > 0 && value % 86_400 === 0)
    return say("{days, plural, one {# day} other {# days}}", { days: value / 86_400 });
  return value > 0 && value % 60 === 0
    ? say("{n, plural, one {# minute} other {# minutes}}", { n: value / 60 })
    : say("{n, plural, one {# second} other {# seconds}}", { n: value });
};

/** Of members in sentences of the service, which are English. */
const nouns: Readonly<Record<string, string>> = {
  start_time: "the start",
  end_time: "the end",
  notification_time: "the notification",
  expires_at: "the last day",
  email: "this email",
  status_limits: "the limits",
  amber_from: "well below commitment",
  green_from: "below commitment",
  green_to: "well above commitment",
  url: "the address",
  push_url: "the address to push to",
  timezone: "the time zone",
  ven_id: "the VEN id",
  program_id: "the program",
  account_id: "the account",
  new_password: "the new password",
  totp: "the code",
  csr: "this",
};

const wordsOf = (name: string): string => nouns[name] ?? `the ${name.replaceAll("_", " ")}`;

/** Of fields, before a fault. */
const fields: Readonly<Record<string, string>> = {
  start_time: say("The start"),
  end_time: say("The end"),
  notification_time: say("The notification"),
  expires_at: say("The last day"),
  email: say("This email"),
  status_limits: say("The limits"),
  amber_from: say("Well below commitment"),
  green_from: say("Below commitment"),
  green_to: say("Well above commitment"),
  url: say("The address"),
  push_url: say("The address to push to"),
  timezone: say("The time zone"),
  ven_id: say("The VEN id"),
  program_id: say("The program"),
  account_id: say("The account"),
  new_password: say("The new password"),
  totp: say("The code"),
  csr: say("This", {}, "a field"),
};

const fieldOf = (member: string): string => {
  const name = (member.split(".").at(-1) ?? member).replace(/\[\d+\]$/, "");
  return fields[name] ?? say("The {field}", { field: name.replaceAll("_", " ") });
};

/** Leaves a message that begins with an address as it is. */
const capital = (text: string): string =>
  /^[a-z]+\b[^:]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** Turns a message into a sentence, with nouns for names of members. */
const sentence = (message: string): string => {
  const [first = ""] = message.split(" ");
  const named = first in nouns ? wordsOf(first) + message.slice(first.length) : message;
  const text = named.replaceAll(/(\b(?:earlier|later|an?) )?\b((?:[a-z]+_)+[a-z]+)\b/g, (_, article, name) =>
    article === undefined ? (nouns[name] ?? name.replaceAll("_", " ")) : article + name.replaceAll("_", " "),
  );
  return capital(/[.!?)]$/.test(text) ? text : `${text}.`);
};
