import Type from "typebox";
import { boolean } from "../values.js";

const words =
  "Whether to do it while a dispatch that targets it is in progress; it is refused otherwise. The dispatch does not change, and an alarm is raised until it ends. Default: `false`.";

/** In a body: confirms what a dispatch in progress makes risky (G72). */
export const confirmRunning = Type.Optional(boolean(words));

/** The same in a query. */
export const ConfirmRunningQuery = Type.Object({
  confirm_running: Type.Optional(Type.Enum(["true", "false"], { description: words })),
});
