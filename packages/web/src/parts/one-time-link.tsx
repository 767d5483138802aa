import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { Actions } from "../ui/dialog.js";
import { DayAndClock } from "../ui/page-zone.js";

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
    <Copy text={url} label="the link" />
    <p>{children}</p>
    <p className="text-muted">
      It works once, until <DayAndClock at={expiresAt} />. It is not shown again and not mailed: copy it now, and send
      it only to the intended person.
    </p>
    <Actions>
      <Button look="primary" onClick={onDone}>
        {say("Done")}
      </Button>
    </Actions>
  </div>
);
