import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { language } from "../values.js";

/** The language that a person chose. */
export const ownLanguage = language(
  "Language of pages, emails, push messages and calendars; null: what you are sent is in the language of your account or of the service, and pages are in that of the browser.",
);

export const setLanguage = endpoint({
  id: "setLanguage",
  method: "PUT",
  path: "/language",
  tag: "Sessions",
  summary: "Set your language",
  description:
    "Applies to what you are sent from now on, and to pages on every browser that you sign in with. The reply sets the cookie `language` of this browser. An unknown language gets 400.",
  body: Type.Object({ language: ownLanguage }),
  status: 204,
});
