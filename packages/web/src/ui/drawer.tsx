import { Dialog as Base } from "@base-ui/react/dialog";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { Button } from "./button.js";
import { useKeys } from "./use-keys.js";

/** Where a drawer leads from one thing to the next of a list; null at its ends. */
export interface Neighbours {
  readonly previous: (() => void) | null;
  readonly next: (() => void) | null;
  /** For example `3 of 40`. */
  readonly place: string;
}

/** Details of one thing of a list at the side of the page, on a phone over all of it. Escape closes it; J and K step. */
export const Drawer = ({
  title,
  mark,
  neighbours,
  onClose,
  children,
}: {
  readonly title: ReactNode;
  /** Whether what it shows is live. */
  readonly mark: ReactNode;
  readonly neighbours: Neighbours;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => {
  useKeys(
    say("Details"),
    [
      { keys: "j", label: say("next"), run: neighbours.next ?? undefined, repeats: true },
      { keys: "k", label: say("previous"), run: neighbours.previous ?? undefined, repeats: true },
    ],
    "drawer",
  );
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-[rgb(8_14_20/0.35)]" />
        <Base.Popup className="fixed inset-y-0 right-0 z-30 flex w-[min(46rem,100vw)] flex-col bg-page shadow-2xl ring-1 ring-line">
          <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-3">
            <Base.Title className="min-w-0 text-lg font-semibold break-words">{title}</Base.Title>
            {mark}
            <div className="flex items-center gap-2">
              <Steps of={neighbours} />
              <Button onClick={onClose}>{say("Close")}</Button>
            </div>
          </header>
          <div
            className="min-h-0 grow overflow-y-auto p-3 sm:p-4"
            role="region"
            aria-label={say("Details")}
            tabIndex={0}
          >
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
};

const Steps = ({ of: { previous, next, place } }: { readonly of: Neighbours }) => (
  <>
    <span className="text-sm whitespace-nowrap text-muted">{place}</span>
    <Step to={previous} label={say("Previous")} mark="‹" shortcut="k" />
    <Step to={next} label={say("Next")} mark="›" shortcut="j" />
  </>
);

const Step = ({
  to,
  label,
  mark,
  shortcut,
}: {
  readonly to: (() => void) | null;
  readonly label: string;
  readonly mark: string;
  readonly shortcut: string;
}) => (
  <Button
    onClick={() => to?.()}
    disabled={to === null}
    aria-label={label}
    aria-keyshortcuts={shortcut}
    title={`${label} (${shortcut.toUpperCase()})`}
  >
    {mark}
  </Button>
);
