import { alarmWords } from "@curtail/contract/lists/alarms";

/** Title of a kind. Kinds are added over time: an unknown one is shown by its code. */
export const alarmTitle = (kind: string): string => alarmWords(kind)?.title ?? kind.replaceAll("_", " ");
