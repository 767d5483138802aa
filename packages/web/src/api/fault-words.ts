import { say } from "@curtail/words/page";
import { NUMBER_LOCALE } from "../format/locale.js";
import { counted } from "../format/quantity.js";
import type { MemberFault } from "../ui/fault.js";

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
    return { member, words, alone: `${nounOf(member)}: ${words}` };
  });
  // If alternatives failed, the inner member is more specific: `transport.push_url`, not `transport`.
  const inner = ruled.filter(({ member }) => !ruled.some((other) => other.member.startsWith(`${member}.`)));
  const words = sentence(message);
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

const ruleWords = (member: string, rule: string): string => {
  const name = member.split(".").at(-1) ?? member;
  const limit = /^be at (least|most) (-?[\d.e+]+)$/.exec(rule);
  if (limit !== null) return `Enter at ${limit[1]} ${amount(name, Number(limit[2]))}.`;
  const characters = /^have at most (\d+) characters$/.exec(rule);
  if (characters !== null) return `Use at most ${characters[1]} characters.`;
  if (rule.startsWith(say("have the form"))) return forms[name] ?? say("Remove line breaks and control characters.");
  if (/^be a (whole )?number/.test(rule)) return "Enter a number.";
  if (/fewer than 1/.test(rule)) return say("Choose at least one.");
  if (rule === "be given" || rule === "not be empty") return say("This field is required.");
  return sentence(`it must ${rule}`);
};

const forms: Readonly<Record<string, string>> = {
  email: "Enter an email address, such as name@example.com.",
  ven_id: say("Use letters, digits, dots, hyphens and underscores only."),
  totp: "Enter the six digits shown in the app.",
  code: "Enter the six digits shown in the app.",
};

/** In the unit of the form: percent instead of ratios, days or minutes instead of seconds. */
const amount = (name: string, value: number): string => {
  if (PERCENT.test(name)) return `${value * 100}%`;
  if (!name.endsWith("_seconds")) return value.toLocaleString(NUMBER_LOCALE);
  if (value > 0 && value % 86_400 === 0) return counted(value / 86_400, "day");
  return value > 0 && value % 60 === 0 ? counted(value / 60, "minute") : counted(value, "second");
};

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
const nounOf = (member: string): string =>
  capital(wordsOf((member.split(".").at(-1) ?? member).replace(/\[\d+\]$/, "")));
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
