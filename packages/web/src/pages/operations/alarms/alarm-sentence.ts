import { alarmWords } from "@curtail/contract/lists/alarms";
import { pageWords, say } from "@curtail/words/page";
import { period } from "../../../format/time.js";
import { namedIn } from "../../../rules/alarm.js";
import type { AlarmGroup } from "../../../rules/alarm-group.js";
import { lastReasonSaid } from "../../../rules/alarm-reasons.js";
import type { Alarm } from "./alarm.js";

/** What is wrong in a sentence: that of the service, which is English, or the same in the language of the page. */
export const alarmSentence = (alarm: Alarm, groups: readonly AlarmGroup[], timeZone: string): string => {
  const known = alarmWords(alarm.kind);
  if (known === null || pageWords().language === "en") return alarm.words;
  const id = namedIn(alarm, "dis");
  const dispatch = groups.find((group) => group.dispatch?.id === id)?.dispatch ?? null;
  const what = say(known.words, {
    account: alarm.account_name ?? say("an account"),
    dispatch:
      dispatch === null
        ? say("a dispatch")
        : `${dispatch.program_name} (${period(dispatch.start_time, dispatch.end_time, timeZone)})`,
  });
  const why = lastReasonSaid(alarm.words);
  return why === null ? what : `${what} ${why}`;
};
