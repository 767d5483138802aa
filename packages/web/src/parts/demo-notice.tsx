import { say } from "@curtail/words/page";
import type { ReactNode } from "react";

/** Above every page while there is a demo, on paper, too: nobody takes its numbers for real. */
export const DemoNotice = ({ words, children }: { readonly words: string; readonly children?: ReactNode }) => (
  <section
    aria-label={say("Demo")}
    className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-b border-line bg-warn-soft px-4 py-1.5 sm:px-6"
  >
    <p role="status" className="min-w-0 flex-1 basis-56 text-warn">
      <span className="font-semibold">{say("Demo:")}</span> {words}
    </p>
    {children}
  </section>
);
