import { say } from "@curtail/words/page";
import { Button } from "../../ui/button.js";
import { Copy } from "../../ui/copy.js";
import { Actions } from "../../ui/dialog.js";

/** null: no codes to show. */
export type RecoveryCodes = readonly string[] | null;

/** Recovery codes, which are shown only once. */
export const RecoveryCodeList = ({ codes, onDone }: { readonly codes: RecoveryCodes; readonly onDone: () => void }) => (
  <div className="grid gap-3">
    <p>
      {say(
        "Each code works once in place of a code from your app, for example when you lose your phone. Keep them somewhere safe: they are not shown again.",
      )}
    </p>
    <Copy text={(codes ?? []).join("\n")} label={say("the recovery codes", {}, "copied")} />
    <Actions>
      <Button look="primary" onClick={onDone}>
        {say("I have saved them")}
      </Button>
    </Actions>
  </div>
);
