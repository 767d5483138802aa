import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog as Base } from "@base-ui/react/dialog";
import { say } from "@curtail/words/page";
import { Button } from "./button.js";
import { Actions, type Confirming, type DialogAsked } from "./dialog.js";
import { isOnNotice } from "./notify.js";

const backdrop = "fixed inset-0 z-40 bg-[rgb(8_14_20/0.5)]";
const popup =
  "fixed top-1/2 left-1/2 z-40 max-h-[90dvh] w-[min(34rem,calc(100vw-1.5rem))] -translate-1/2 overflow-y-auto rounded-2xl bg-surface p-5 shadow-2xl ring-1 ring-line";
const heading = "mb-3 text-lg font-semibold";

export const DialogWindow = ({ title, open, onClose, children }: DialogAsked) => (
  <Base.Root open={open} onOpenChange={(next, { event }) => !next && !isOnNotice(event) && onClose()}>
    <Base.Portal>
      <Base.Backdrop className={backdrop} />
      <Base.Popup className={popup}>
        <Base.Title className={heading}>{title}</Base.Title>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);

export const ConfirmWindow = ({ title, open, onClose, onConfirm, action, busy, children }: Confirming) => (
  <AlertDialog.Root open={open} onOpenChange={(next, { event }) => !next && !isOnNotice(event) && onClose()}>
    <AlertDialog.Portal>
      <AlertDialog.Backdrop className={backdrop} />
      {/* The same role as all other dialogs. */}
      <AlertDialog.Popup role="dialog" className={popup}>
        <AlertDialog.Title className={heading}>{title}</AlertDialog.Title>
        <AlertDialog.Description render={<div className="mb-4" />}>{children}</AlertDialog.Description>
        <Actions>
          <Button look="danger" onClick={onConfirm} busy={busy && say("One moment…")}>
            {action}
          </Button>
          <Button onClick={onClose}>{say("Back")}</Button>
        </Actions>
      </AlertDialog.Popup>
    </AlertDialog.Portal>
  </AlertDialog.Root>
);
