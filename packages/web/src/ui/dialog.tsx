import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { Button } from "./button.js";
import { FormFault } from "./form.js";

/** Asks something above the page; Escape leaves, and so does a click beside it unless it `stays`. */
export const Dialog = ({
  title,
  open,
  onClose,
  stays = false,
  children,
}: {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly stays?: boolean;
  readonly children: ReactNode;
}) => (
  <Base.Root open={open} disablePointerDismissal={stays} onOpenChange={(next) => !next && onClose()}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-40 bg-[rgb(8_14_20/0.5)]" />
      <Base.Popup className="fixed top-1/2 left-1/2 z-40 max-h-[90dvh] w-[min(34rem,calc(100vw-1.5rem))] -translate-1/2 overflow-y-auto rounded-2xl bg-surface p-5 shadow-2xl ring-1 ring-line">
        <Base.Title className="mb-3 text-lg font-semibold">{title}</Base.Title>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);

/** Buttons at the foot of a dialog or form, the one that goes on first; above them what is wrong with the form. */
export const Actions = ({ children }: { readonly children: ReactNode }) => (
  <>
    <FormFault />
    <div className="mt-2 flex flex-row-reverse flex-wrap justify-start gap-2">{children}</div>
  </>
);

/** Asks before something that cannot be taken back. The second click of a double click does not dismiss it. */
export const Confirm = ({
  title,
  open,
  onClose,
  onConfirm,
  action,
  busy,
  children,
}: {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly action: string;
  readonly busy: boolean;
  readonly children: ReactNode;
}) => (
  <Dialog title={title} open={open} onClose={onClose} stays>
    <div className="mb-4">{children}</div>
    <Actions>
      <Button look="danger" onClick={onConfirm} busy={busy && "One moment…"}>
        {action}
      </Button>
      <Button onClick={onClose}>Back</Button>
    </Actions>
  </Dialog>
);
