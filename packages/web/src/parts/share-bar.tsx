import { type ShareLimits, shareTone } from "../rules/delivered-share.js";

const fills = { good: "bg-good", warn: "bg-warn", bad: "bg-bad" } as const;

/** How much of the commitment is delivered, in the colour of its limits; repeats a figure in words next to it. */
export const ShareBar = ({
  share,
  limits,
  className,
}: {
  readonly share: number | null;
  readonly limits: ShareLimits | null;
  readonly className: string;
}) => (
  <div aria-hidden="true" className={`overflow-hidden rounded-full bg-sunken ${className}`}>
    <div
      className={`h-full rounded-full ${fills[shareTone(share, limits)]}`}
      style={{ width: `${Math.min(100, Math.max(0, (share ?? 0) * 100))}%` }}
    />
  </div>
);
