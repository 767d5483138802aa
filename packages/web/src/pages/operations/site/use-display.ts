import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useChange } from "../../../api/use-change.js";

/** Whether users of the account see the data of a site: `run(true)` makes it visible. */
export const useDisplay = (id: string) =>
  useChange((to: boolean) => callOperator("PATCH", "/sites/{id}", { params: { id }, body: { display_enabled: to } }), {
    done: ({ display_enabled }) =>
      display_enabled
        ? say("Users of the account now see its data.")
        : say("Users of the account no longer see its data."),
  });
