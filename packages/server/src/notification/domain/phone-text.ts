import { type NoticeContent, noticeSentence } from "./notice-sentence.js";
import type { PhoneChannel } from "./phone-message.js";

/** Characters of one SMS in the alphabet of GSM-7 (3GPP TS 23.038). */
export const SMS_CHARACTERS = 160;

/** What to reduce, when, and for which program, in the time of the program. An SMS fits one message. */
export const phoneText = (content: NoticeContent, channel: PhoneChannel): string =>
  channel === "voice" ? spoken(noticeSentence(content)) : short(content);

export const testText = (channel: PhoneChannel): string =>
  channel === "voice"
    ? "This is a test message from Curtail. Dispatches will be announced to you like this."
    : "Curtail test message. Dispatches and their changes will arrive like this.";

/** Shortens the program's name, which is all that has no bound, until the text fits. */
const short = (content: NoticeContent): string => {
  const name = gsm(content.dispatch.program.name);
  const whole = gsm(noticeSentence(content, name));
  const excess = whole.length - SMS_CHARACTERS;
  if (excess <= 0) return whole;
  return gsm(noticeSentence(content, `${name.slice(0, Math.max(name.length - excess - 3, 0))}...`)).slice(
    0,
    SMS_CHARACTERS,
  );
};

const spoken = (text: string): string => text.replaceAll(" kW", " kilowatts");

/**
 * One character outside of the alphabet halves the length of an SMS. Accents are dropped, other characters replaced; those
 * of the extension table, which count twice, as well.
 */
const gsm = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[‘’`´]/g, "'")
    .replaceAll(/[–—·]/g, "-")
    .replaceAll(/[^A-Za-z0-9 @$!"#%&'()*+,\-./:;<=>?_]/gu, "?");
