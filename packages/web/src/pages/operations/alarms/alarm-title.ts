import { alarmWords } from "@curtail/contract/lists/alarms";
import { say } from "@curtail/words/page";

/** Title of a kind. Kinds are added over time: an unknown one is shown by its code. */
export const alarmTitle = (kind: string): string => {
  const known = alarmWords(kind);
  return known === null ? kind.replaceAll("_", " ") : say(known.title);
};
