import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import { FormFault } from "./form.js";
import { loaded } from "./load-code.js";
import { useHistoryEntry } from "./use-history-entry.js";

export interface DialogAsked {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** In the address of the page, as `do`. */
  readonly address?: string;
  readonly children: ReactNode;
}

export interface Confirming extends DialogAsked {
  readonly onConfirm: () => void;
  readonly action: string;
  readonly busy: boolean;
}

/** Loaded when the page is idle, so that a first page comes sooner and a dialog opens while the service is down. */
export const loadDialogs = () => loaded(() => import("./dialog-window.js"));

const DialogWindow = lazy(async () => ({ default: (await loadDialogs()).DialogWindow }));
const ConfirmWindow = lazy(async () => ({ default: (await loadDialogs()).ConfirmWindow }));

/** A modal dialog; Escape, Back or a click outside closes it. */
export const Dialog = (asking: DialogAsked) => <OnceOpened window={DialogWindow} {...asking} />;

/** Asks for confirmation. The second click of a double click does not dismiss it. */
export const Confirm = (confirming: Confirming) => <OnceOpened window={ConfirmWindow} {...confirming} />;

/** Stays once it was opened, so that the focus returns to what opened it; Back closes it. */
const OnceOpened = <Props extends DialogAsked>({
  window: Window,
  ...rest
}: Props & { readonly window: ComponentType<Props> }) => {
  const [wasOpened, setOpened] = useState(false);
  if (rest.open && !wasOpened) setOpened(true);
  useHistoryEntry(rest.open, rest.onClose, rest.address);
  return (
    wasOpened && (
      <Suspense fallback={<Shade />}>
        <Window {...(rest as unknown as Props)} />
      </Suspense>
    )
  );
};

/** Until the code of a dialog is there, nothing else of the page can be pressed. */
const Shade = () => <div className="fixed inset-0 z-40 bg-[rgb(8_14_20/0.5)]" />;

/** Buttons at the foot of a dialog or form, the main one first; above them the faults of the form. */
export const Actions = ({ children }: { readonly children: ReactNode }) => (
  <>
    <FormFault />
    <div className="mt-2 flex flex-row-reverse flex-wrap justify-start gap-2">{children}</div>
  </>
);
