import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { boolean } from "../values.js";

/** Offers of the pages that a user may put away. */
export const hints = ["first_steps", "authenticator", "push"] as const;

const hintDescription =
  "`first_steps`: the way to the first dispatch, on the board. `authenticator`: the offer to set up an authenticator app. `push`: the offer to turn on notifications in a browser.";

const Hint = Type.Enum([...hints], { description: hintDescription });

export const dismissedHints = Type.Array(Hint, { description: "Hints that the user has put away." });

export const setHint = endpoint({
  id: "setHint",
  method: "PUT",
  path: "/hints",
  tag: "Sessions",
  summary: "Set whether a hint is put away",
  description: "Applies to you on every browser. An unknown hint gets 400.",
  body: Type.Object({ hint: Hint, dismissed: boolean("Whether the hint is put away.", true) }),
  status: 204,
});
