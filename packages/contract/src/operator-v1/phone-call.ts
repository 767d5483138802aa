import Type, { type Static } from "typebox";
import { NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { byId, id, integer, moment, string, text } from "../values.js";
import { actor, actorName } from "./dispatch.js";

/** What was recorded about a call. */
export const phoneCall = {
  account_id: id("account", "Account that was reached."),
  modification_number: integer("Modification of the dispatch that the account was notified of; 0 is the original.", 1),
  at: moment("When the person was reached.", "now"),
  person: string("Who was reached.", "Ana Lopez"),
  note: string("What was said. Only operators see it.", "will start the generator at once"),
};

export const PhoneCall = Type.Object(
  {
    dispatch_id: id("dispatch"),
    ...phoneCall,
    recorded_at: moment("When the call was recorded.", "now"),
    by: actor,
    by_name: actorName,
  },
  { $id: "PhoneCall", description: "A call by which an operator notified an account of a dispatch." },
);
export type PhoneCall = Static<typeof PhoneCall>;

export const recordPhoneCall = endpoint({
  id: "recordPhoneCall",
  method: "POST",
  path: "/dispatches/{id}/phone-calls",
  once: "within",
  tag: "Dispatches",
  summary: "Record that an account was notified by phone",
  description:
    "The account counts as notified of that modification: in the evidence, in the counts of the board, and for alarms about accounts that nothing reached, which clear. A later change of the dispatch is not notified by the call. Participants see in their evidence that a call was made and who was reached, not the note. A call may be recorded after it was made; one after the end of the dispatch is refused.",
  params: byId("dispatch"),
  body: Type.Object({
    account_id: phoneCall.account_id,
    person: text(NAME_CHARACTERS, "Who was reached.", "Ana Lopez", 1),
    note: text(1000, "What was said. Only operators see it.", "will start the generator at once", 1),
    at: Type.Optional(moment("When the person was reached. Default: now.", "now")),
    modification_number: Type.Optional(
      integer("Modification that the account was notified of. Default: the newest at the time of the call.", 1, {
        minimum: 0,
        maximum: 2_147_483_647,
      }),
    ),
  }),
  reply: PhoneCall,
  status: 201,
});
