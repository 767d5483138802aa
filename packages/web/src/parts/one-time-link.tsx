import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { Actions } from "../ui/dialog.js";
import { DayAndClock } from "../ui/page-zone.js";
import { sayParts } from "../ui/say-parts.js";

/** A one-time link to send to a person. It is shown only here. */
export const OneTimeLink = ({
  url,
  expiresAt,
  children,
  onDone,
}: {
  readonly url: string;
  readonly expiresAt: string;
  /** What the link reveals. */
  readonly children: ReactNode;
  readonly onDone: () => void;
}) => (
  <div className="grid gap-3">
    <Copy text={url} label={say("the link", {}, "copied")} />
    <p>{children}</p>
    <p className="text-muted">
      {sayParts(
        "It works once, until {time}. It is not shown again and not mailed: copy it now, and send it only to the intended person.",
        { time: <DayAndClock at={expiresAt} /> },
      )}
    </p>
    <Actions>
      <Button look="primary" onClick={onDone}>
        {say("Done")}
      </Button>
    </Actions>
  </div>
);
