import type { operator, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { count } from "../../../format/quantity.js";
import { clock, dayAndClock, isSameDay } from "../../../format/time.js";
import { evidenceWords, reasonWords, recipientWords } from "../../../parts/evidence-words.js";
import { endingWords } from "../../../parts/webhook-outcome.js";
import { isGone, messageWords, ofChange, venOf } from "./evidence-parts.js";
import { attemptWords, deliveredWords, failedWords, noticeWords } from "./evidence-sent.js";

type Evidence = operator.Evidence;
type Dispatch = Pick<ReplyOf<typeof operator.getAnyDispatch>, "start_time" | "program">;

/** An event in one line. */
export const whatWords = (evidence: Evidence): string => {
  const { what, channel, detail } = evidence;
  const late = { late: detail.after_end === true ? "yes" : "no" };
  switch (what) {
    case "notified":
      return noticeWords(evidence);
    case "attempt":
      return attemptWords(evidence);
    case "delivered":
      return deliveredWords(evidence);
    case "failed":
      return detail.reason === undefined
        ? failedWords(evidence)
        : say("{what}: {reason}", { what: failedWords(evidence), reason: reasonWords[detail.reason] });
    case "polled":
      return ofChange(
        detail,
        channel === "openadr" || channel === "openadr3" ? polledWords(detail, late) : listed(late),
      );
    case "fetched":
      return ofChange(
        detail,
        say("{late, select, yes {Read the dispatch after the end} other {Read the dispatch}}", late),
      );
    case "viewed":
      return ofChange(
        detail,
        say("{late, select, yes {{person} read it on its page after the end} other {{person} read it on its page}}", {
          ...late,
          person: detail.user_name ?? say("A person"),
        }),
      );
    case "acknowledged":
      return acknowledgedWords(detail, late);
    case "handed_over":
      return ofChange(detail, messageWords(evidence).handedOver);
    case "reached":
      return ofChange(detail, phonedWords(detail));
    case "mailed":
      return say("Mail accepted for {recipients}", { recipients: recipientWords(detail) ?? say("its contacts") });
  }
};

/** `late` is `yes` after the end of the dispatch. */
interface Late {
  readonly late: string;
}

const polledWords = (detail: Evidence["detail"], late: Late): string =>
  isGone(detail)
    ? say(
        "{late, select, yes {VEN {ven} polled: the event was deleted after the end} other {VEN {ven} polled: the event was deleted}}",
        { ...late, ven: venOf(detail) },
      )
    : say("{late, select, yes {VEN {ven} polled after the end} other {VEN {ven} polled}}", {
        ...late,
        ven: venOf(detail),
      });

const listed = ({ late }: Late): string =>
  say("{late, select, yes {Read in the list of dispatches after the end} other {Read in the list of dispatches}}", {
    late,
  });

const acknowledgedWords = (detail: Evidence["detail"], late: Late): string => {
  const { operating_state: state, opt, response_code: code } = detail;
  const values = { ...late, ven: venOf(detail) };
  const answered =
    state === undefined
      ? say("{late, select, yes {VEN {ven} acknowledged after the end} other {VEN {ven} acknowledged}}", values)
      : say("{late, select, yes {VEN {ven} reported {state} after the end} other {VEN {ven} reported {state}}}", {
          ...values,
          state,
        });
  const what = ofChange(detail, answered);
  const opted =
    opt === "optOut" ? say("{what}, opted out", { what }) : opt === "optIn" ? say("{what}, opted in", { what }) : what;
  return code === undefined || code === "200" ? opted : say("{what} (code {code})", { what: opted, code });
};

const phonedWords = ({ person, note }: Evidence["detail"]): string => {
  const called = say("Notified by phone: {person}", { person: person ?? say("somebody") });
  return note === undefined ? called : `${called}. ${note}`;
};

/** The time alone if both it and the dispatch are of today. */
export const chipTime = (at: string, { start_time, program }: Dispatch, now: Date): string => {
  const isToday = [at, start_time].every((each) => isSameDay(each, now, program.timezone));
  return isToday ? clock(at, program.timezone) : dayAndClock(at, program.timezone, now);
};

/** The latest event of a channel, in few words. */
export const chipWords = (evidence: Evidence): string => {
  const { what, channel, detail } = evidence;
  if (what !== "attempt" || channel === "mail") return evidenceWords(evidence);
  return say("attempt {n} {outcome}", {
    n: detail.number === undefined ? "" : count(detail.number),
    outcome: endingWords(detail),
  });
};
