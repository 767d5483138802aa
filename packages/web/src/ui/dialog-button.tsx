import { type ReactNode, useState } from "react";
import { Button } from "./button.js";
import { Confirm, Dialog } from "./dialog.js";

type Look = "primary" | "plain" | "danger" | "quiet";

/** A dialog that the address of the page opens, too. */
export interface Opening {
  readonly opened?: boolean;
  readonly onClosed?: () => void;
}

/** A button that opens a dialog. Closing it discards the input. */
export const DialogButton = ({
  label,
  title = label,
  name,
  look = "plain",
  opened = false,
  onClosed,
  children,
}: Opening & {
  readonly label: string;
  readonly title?: string;
  /** Of the button for screen readers, where the label alone says too little. */
  readonly name?: string;
  readonly look?: Look;
  readonly children: (close: () => void) => ReactNode;
}) => {
  const [isOpen, setOpen] = useState(false);
  const open = isOpen || opened;
  const close = () => {
    setOpen(false);
    if (opened) onClosed?.();
  };
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)} aria-label={name} aria-haspopup="dialog">
        {label}
      </Button>
      <Dialog title={title} open={open} onClose={close}>
        {open && children(close)}
      </Dialog>
    </>
  );
};

/** A button that asks for confirmation first. */
export const ConfirmButton = ({
  label,
  title,
  action = label,
  look = "plain",
  run,
  busy,
  children,
}: {
  readonly label: string;
  readonly title: string;
  readonly action?: string;
  readonly look?: Look;
  readonly run: () => void;
  readonly busy: boolean;
  readonly children: ReactNode;
}) => {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const confirm = () => {
    run();
    close();
  };
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)} busy={busy && "One moment…"} aria-haspopup="dialog">
        {label}
      </Button>
      <Confirm title={title} open={open} onClose={close} onConfirm={confirm} action={action} busy={busy}>
        {children}
      </Confirm>
    </>
  );
};
