import { Toast } from "@base-ui/react/toast";
import type { ReactNode } from "react";

/** Shows results and errors in a corner of the page and to screen readers. */
export const useNotify = () => {
  const { add } = Toast.useToastManager();
  return {
    good: (description: string) => void add({ description, type: "good" }),
    bad: (description: string) => void add({ description, type: "bad", priority: "high", timeout: 12_000 }),
  };
};

export const Notices = ({ children }: { readonly children: ReactNode }) => (
  <Toast.Provider>
    {children}
    <Toast.Portal>
      <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2">
        <Shown />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

const Shown = () => {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      aria-label={toast.type === "bad" ? "Error" : "Done"}
      className={`rounded-lg border-l-4 bg-surface shadow-lg ring-1 ring-line ${toast.type === "bad" ? "border-bad" : "border-good"}`}
    >
      <Toast.Content className="flex items-start gap-3 p-3">
        <Toast.Description className="min-w-0 flex-1 break-words text-sm" />
        <Toast.Close className="rounded px-1 text-sm font-medium text-accent" aria-label="Dismiss">
          Dismiss
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
};
