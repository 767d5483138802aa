import { say } from "@curtail/words/page";
import { type ReactNode, useState } from "react";
import { Button } from "./button.js";
import { Confirm, Dialog } from "./dialog.js";
import { addressOf, useAsked } from "./use-asked.js";

type Look = "primary" | "plain" | "danger" | "quiet";

/** A button that opens a dialog, as the address of the page does. Closing it discards the input. */
export const DialogButton = ({
  label,
  title = label,
  name,
  look = "plain",
  address = addressOf(name ?? label),
  children,
}: {
  readonly label: string;
  readonly title?: string;
  /** Of the button for screen readers, where the label alone says too little. */
  readonly name?: string;
  readonly look?: Look;
  /** In the address of the page, as `do`. */
  readonly address?: string;
  readonly children: (close: () => void) => ReactNode;
}) => {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  useAsked(address, () => setOpen(true));
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)} aria-label={name} aria-haspopup="dialog">
        {label}
      </Button>
      <Dialog title={title} open={open} onClose={close} address={address}>
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
      <Button look={look} onClick={() => setOpen(true)} busy={busy && say("One moment…")} aria-haspopup="dialog">
        {label}
      </Button>
      <Confirm title={title} open={open} onClose={close} onConfirm={confirm} action={action} busy={busy}>
        {children}
      </Confirm>
    </>
  );
};
