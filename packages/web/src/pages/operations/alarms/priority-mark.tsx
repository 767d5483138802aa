import { say } from "@curtail/words/page";
/** Number, shape and colour say the same; outlined once somebody looks after the group. */
export const PriorityMark = ({ priority, isSeen }: { readonly priority: 1 | 2 | 3; readonly isSeen: boolean }) => (
  <span
    role="img"
    aria-label={
      isSeen ? say("Priority {priority}, acknowledged", { priority }) : say("Priority {priority}", { priority })
    }
    className={`inline-grid size-[22px] shrink-0 place-items-center border-2 text-[13px] leading-none font-bold ${shapes[priority]} ${isSeen ? outlined[priority] : filled[priority]}`}
  >
    {priority}
  </span>
);

const shapes = { 1: "", 2: "rounded-full", 3: "rounded-md" } as const;
const filled = {
  1: "border-bad bg-bad text-surface",
  2: "border-warn bg-warn text-surface",
  3: "border-muted text-muted",
} as const;
const outlined = { 1: "border-bad text-bad", 2: "border-warn text-warn", 3: "border-line-strong text-muted" } as const;
