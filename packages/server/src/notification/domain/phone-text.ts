import type { Words } from "../../platform/words.js";
import { type NoticeContent, noticeSentence } from "./notice-sentence.js";
import type { PhoneChannel } from "./phone-message.js";

/** Characters of one SMS in the alphabet of GSM-7 (3GPP TS 23.038). */
export const SMS_CHARACTERS = 160;
/** Of two that a phone puts together. */
const TWO_SMS_CHARACTERS = 306;

/** What to reduce, when, and for which program, in the time of the program. An SMS fits one message if it can. */
export const phoneText = (words: Words, content: NoticeContent, channel: PhoneChannel): string =>
  channel === "voice" ? spoken(words, noticeSentence(words, content)) : short(words, content);

export const testText = (words: Words, channel: PhoneChannel, service: string): string =>
  channel === "voice"
    ? words.say("This is a test message from {service}. Dispatches will be announced to you like this.", { service })
    : shortTest(words, speakerOf(words, service));

const shortTest = (words: Words, service: string): string => {
  const notice = words.say("This is a test message. Dispatches and their changes will arrive like this.");
  return gsm(words, service === "" ? notice : words.say("{service}: {notice}", { service, notice }));
};

/** Characters of the program that a name of the service must leave. */
const LEAST_OF_PROGRAM = 10;

/** The name of the service in an SMS; empty if its script is none of an SMS. */
const speakerOf = (words: Words, service: string): string => gsm(words, service).replaceAll(/\?+/g, "").trim();

/** Shortens the program's name until the text fits; the name of the service gives way to it, and both to what is to be done. */
const short = (words: Words, said: NoticeContent): string => {
  const named = { ...said, service: speakerOf(words, said.service) };
  const hasRoom = noticeSentence(words, named, "").length <= SMS_CHARACTERS - LEAST_OF_PROGRAM;
  const content = hasRoom ? named : { ...said, service: "" };
  const name = gsm(words, content.dispatch.program.name);
  const fitting = (most: number): string => {
    const whole = gsm(words, noticeSentence(words, content, name));
    const excess = whole.length - most;
    if (excess <= 0) return whole;
    return gsm(words, noticeSentence(words, content, `${name.slice(0, Math.max(name.length - excess - 3, 0))}...`));
  };
  const one = fitting(SMS_CHARACTERS);
  // Some languages need more than one for the longest texts; a text without its end would be worse.
  return one.length <= SMS_CHARACTERS ? one : fitting(TWO_SMS_CHARACTERS).slice(0, TWO_SMS_CHARACTERS);
};

const spoken = (words: Words, text: string): string => text.replaceAll(" kW", ` ${words.say("kilowatts")}`);

/** Letters with marks in the alphabet of GSM-7. English has none, and names of programs in English texts lose theirs. */
const MARKED = new Set("ÄÖÜäöüßÑñÉéèàùìòÇÅåÆæØø¡¿");

/**
 * One character outside of the alphabet halves the length of an SMS. Accents that it lacks are dropped, other characters
 * replaced; those of the extension table, which count twice, as well.
 */
const gsm = ({ language }: Words, text: string): string =>
  Array.from(text.normalize("NFC"), (character) =>
    language !== "en" && MARKED.has(character) ? character : plain(character),
  ).join("");

const plain = (character: string): string =>
  character
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[‘’`´]/g, "'")
    .replaceAll(/[„“”«»]/g, '"')
    .replaceAll(/[–—−·]/g, "-")
    .replaceAll(/[^A-Za-z0-9 @$!"#%&'()*+,\-./:;<=>?_]/gu, "?");
