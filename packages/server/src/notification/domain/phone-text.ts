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

export const testText = (words: Words, channel: PhoneChannel): string =>
  channel === "voice"
    ? words.say("This is a test message from Curtail. Dispatches will be announced to you like this.")
    : gsm(words, words.say("Curtail test message. Dispatches and their changes will arrive like this."));

/** Shortens the program's name, which is all that has no bound, until the text fits. */
const short = (words: Words, content: NoticeContent): string => {
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
    .replaceAll(/[–—·]/g, "-")
    .replaceAll(/[^A-Za-z0-9 @$!"#%&'()*+,\-./:;<=>?_]/gu, "?");
