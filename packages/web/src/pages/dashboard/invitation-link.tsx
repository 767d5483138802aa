import { Button } from "../../ui/button.js";
import { Copy } from "../../ui/copy.js";
import { Actions } from "../../ui/dialog.js";

/** The link with which somebody sets the password, to be passed on. */
export const InvitationLink = ({ url, onClose }: { readonly url: string; readonly onClose: () => void }) => (
  <div className="grid gap-3">
    <p>
      Send this link to the person. Whoever opens it sets the password, once; it works for 24 hours, and a link made
      before does not work any more. Curtail sends no mail of its own for it.
    </p>
    <Copy text={url} label="link" />
    <Actions>
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </Actions>
  </div>
);
